enum colour { RED, GREEN = 4 };
typedef int (*function)(int, ...);
static int f(int n, ...) { static int calls; return n ? ++calls : -calls; }
#define TWICE(x) ((x) + (x))
int main(void) {
  int a[] = { 1, [3] = 2 }, n = sizeof a / sizeof *a, v[n];
  function g = &f;
  volatile unsigned char c = 'x' | 0x80;
again:
  switch (TWICE(n) % 3) {
  case GREEN ... 7: break;
  case 0: n--; if (n > 0) goto again; /* fall through */
  default: do { n += (g)(n, c) >> 1; continue; } while (0);
  }
  v[0] = n, v[n & 1] ^= ~a[0];
  return _Alignof(long) == 8 ? v[0] : !v[1];
}
