//! Programs that look as wrong as those beside them and are right, by gcc and its sanitizers.

pub(crate) const BIT_FIELDS: &[&str] = &[
    r#"struct s{int a:3; unsigned b:5;}; int main(void){struct s s; s.a=N; s.b=N;
        if(s.a<-4||s.a>3||s.b>31) E; return 0;}"#,
    r#"struct s{unsigned a:4,b:4; char c;}; int main(void){struct s s={1,2,3},t=s; t.a=9;
        if(s.a!=1||t.b!=2||t.c!=3) E; return 0;}"#,
    r#"struct s{unsigned a:20,b:20;}; int main(void){struct s s={0,0}; s.b=0xfffff; if(s.a!=0)
        E; s.a=5; if(s.b!=0xfffff||s.a!=5) E; return 0;}"#,
    r#"struct s{int a:5; int:0; int b:5;}; int main(void){struct s s={-1,-2};
        if(sizeof(struct s)!=8||s.a!=-1||s.b!=-2) E; return 0;}"#,
];

pub(crate) const UNIONS_AND_PADDING: &[&str] = &[
    r#"union u{int i; unsigned char c[4];}; int main(void){union u u; u.i=0x01020304;
        if(u.c[0]!=4||u.c[3]!=1) E; return 0;}"#,
    r#"struct s{int n; char d[];}; int main(void){unsigned n=__VERIFIER_nondet_uint()&7;
        struct s*s=malloc(sizeof(struct s)+n); s->n=n; for(int i=0;i<s->n;i++) s->d[i]=0;
        free(s); return 0;}"#,
];

pub(crate) const FUNCTION_POINTERS: &[&str] = &[
    r#"static int f(int x){return x+1;} static int h(int x){return x+2;}
        int main(void){int(*t[2])(int)={f,h}; int k=N&1; int r=t[k](1); if(r!=2+k) E;
        return 0;}"#,
    r#"struct o{int(*f)(struct o*);int v;}; static int get(struct o*o){return o->v;}
        int main(void){struct o o={get,5}; if(o.f(&o)!=5) E; return 0;}"#,
    r#"static void f(void){} int main(void){void(*p)(void)=N?f:0; if(p) p(); if(p!=0&&p!=f) E;
        return 0;}"#,
];

pub(crate) const RECURSION: &[&str] =
    &[r#"static int f(int n){return n<=0?0:1+f(n-1);} int main(void){int n=N; if(n<0||n>10)
        return 0; if(f(n)!=n) E; return 0;}"#];

pub(crate) const JUMPS: &[&str] = &[
    r#"int main(void){int x=0; switch(N&3){case 0: x=1; break; case 1: x=2; case 2: x+=2;
        break; default: x=5;} if(x!=1&&x!=4&&x!=2&&x!=5) E; return 0;}"#,
    r#"int main(void){int n=N; if(n<1||n>12) return 0; int a[16]={0},i=0,k=(n+3)/4;
        switch(n%4){case 0: do{a[i++]=1; case 3:a[i++]=1; case 2:a[i++]=1;
        case 1:a[i++]=1;}while(--k>0);} if(i!=n) E; return 0;}"#,
    r#"int main(void){int i=0; again: {int x=i; i++; if(x!=i-1) E; if(i<3) goto again;}
        return 0;}"#,
];

pub(crate) const LITERALS_AND_SCOPES: &[&str] = &[
    r#"struct p{int a,b;}; static int s(const struct p*p){return p->a+p->b;}
        int main(void){int n=N&7; if(s(&(struct p){n,1})!=n+1) E; return 0;}"#,
    r#"#include <stdarg.h>
static int sum(int n,...){va_list a; va_start(a,n); int s=0; while(n-->0)
    s+=va_arg(a,int); va_end(a); return s;} int main(void){int k=N&15;
    if(sum(3,1,2,k)!=3+k) E; return 0;}"#,
    r#"int main(void){int n=N; if(n<1||n>4) return 0; int a[n]; int k=sizeof a/sizeof a[0];
        n=99; for(int i=0;i<k;i++) a[i]=i; if(k>4||a[k-1]!=k-1) E; return 0;}"#,
    r#"int main(void){for(int n=1;n<4;n++){int a[n]; a[n-1]=n; if(a[n-1]!=n) E;} return 0;}"#,
];

pub(crate) const NUMBERS: &[&str] = &[
    r#"int main(void){char c=__VERIFIER_nondet_char(); int i=(unsigned char)c; if(i<0||i>255)
        E; if((char)i!=c) E; return 0;}"#,
    r#"int main(void){_Bool x=N; int y=x; if(y!=0&&y!=1) E; x=x+5; if(x!=1) E; return 0;}"#,
    r#"int main(void){unsigned n=__VERIFIER_nondet_uint()&31; unsigned x=1u<<n;
        if(x==0||(x&(x-1))) E; return 0;}"#,
    r#"int main(void){double x=0.5; int i; for(i=0;i<3;i++) x*=2; if(x!=4.0) E; return 0;}"#,
    r#"int main(void){double z=0.0; double x=z/z; if(x==x) E; return 0;}"#,
    r#"int main(void){unsigned u=__VERIFIER_nondet_uint(); if(u-1u<u||u==0) return 0; E;
        return 0;}"#,
    r#"enum e{A=1,B=4}; int main(void){enum e x=N?A:B; if(x!=1&&x!=4) E; return 0;}"#,
];

pub(crate) const ADDRESSES: &[&str] = &[
    r#"int main(void){long*p=malloc(16); unsigned long u=(unsigned long)p; if(u%8) E; free(p);
        return 0;}"#,
    r#"int main(void){long*p=malloc(8); *p=3; unsigned long t=(unsigned long)p|1;
        long*q=(long*)(t&~1UL); if(*q!=3) E; free(q); return 0;}"#,
    r#"struct s{char c[3];}; int main(void){struct s a[4]; int i=N&3; struct s*p=a+i;
        if(p-a!=i||(char*)p-(char*)a!=3*i) E; return 0;}"#,
    r#"int main(void){int a[4]={0},s=0; for(int*p=a;p!=a+4;p++) s+=*p; if(s) E; return 0;}"#,
    r#"struct n{int v; struct n*l;}; int main(void){struct n*n=malloc(sizeof*n);
        struct n**pp=&n->l; *pp=0; int*v=&n->v; *v=2; struct n*m=(struct n*)v; if(m->l) E;
        free(m); return 0;}"#,
    r#"int main(void){int a[3]; int*p=a,*q=a+2; if(!(p<q)||q<=p) E; return 0;}"#,
    r#"int main(void){int x; int*p=N?&x:0; _Bool b=p; if(b!=(p!=0)) E; return 0;}"#,
];

pub(crate) const SIZES: &[&str] = &[
    r#"int main(void){char a[8]; unsigned n=__VERIFIER_nondet_uint(); if(n>8) return 0;
        memset(a,0,n); for(unsigned i=0;i<n;i++) if(a[i]) E; return 0;}"#,
    r#"int main(void){char a[6]={1,2,3,4,5,6}; memmove(a+1,a,5); if(a[5]!=5||a[1]!=1) E;
        return 0;}"#,
    r#"int main(void){unsigned n=__VERIFIER_nondet_uint()&7; int*p=calloc(n+1,4); int s=0;
        for(unsigned i=0;i<=n;i++) s+=p[i]; if(s) E; free(p); return 0;}"#,
    r#"int main(void){size_t n=((size_t)1<<61)+1; int*p=calloc(n,8); if(p) p[0]=1; free(p);
        return 0;}"#,
    r#"struct s{int a; char*b;}; int main(void){struct s s={1,malloc(1)},t;
        memcpy(&t,&s,sizeof s); free(t.b); if(t.a!=1) E; return 0;}"#,
    r#"int main(void){int n=N; if(n<0||n>8) return 0; int*a=malloc((n+1)*4);
        for(int i=0;i<=n;i++) a[i]=i; int s=0; for(int i=0;i<=n;i++) s+=a[i];
        if(s!=n*(n+1)/2) E; free(a); return 0;}"#,
];

pub(crate) const STRINGS: &[&str] = &[
    r#"int main(void){char a[8]="ab"; strcat(a,"cd"); if(strlen(a)!=4||strcmp(a,"abcd")) E;
        char*p=strchr(a,99); if(!p||p-a!=2) E; return 0;}"#,
    r#"
static int c(const void*a,const void*b){int x=*(const int*)a,y=*(const int*)b;
    return x<y?-1:x>y;} int main(void){int a[3]={N,N,N}; qsort(a,3,sizeof(int),c);
    if(a[0]>a[1]||a[1]>a[2]) E; return 0;}"#,
    r#"int main(void){char s[]="a,b"; char*t=strtok(s,","); if(!t||t[0]!=97) E;
        t=strtok(0,","); if(!t||t[0]!=98) E; if(strtok(0,",")) E; return 0;}"#,
];

pub(crate) const CONSTANTS_AND_VALUES: &[&str] = &[
    r#"struct s{int a[3];}; static struct s f(struct s x){x.a[0]=9; return x;}
        int main(void){struct s s={{1,2,3}}; struct s t=f(s);
        if(s.a[0]!=1||t.a[0]!=9||t.a[2]!=3) E; return 0;}"#,
    r#"static int*f(void){static int x; return &x;} int main(void){*f()=4; if(*f()!=4) E;
        return 0;}"#,
    r#"static const int t[3]={1,2,3}; int main(void){int i=N; if(i<0||i>2) return 0;
        if(t[i]!=i+1) E; return 0;}"#,
    r#"int main(void){int a[4]={0},i=N&1; a[i++]=1; a[i]=2; int j=i--; if(j!=i+1||a[j]!=2) E;
        return 0;}"#,
    r#"int main(void){int x=(N,3),y=x?x,x+1:0; if(y!=4) E; return 0;}"#,
];

pub(crate) const LIVES: &[&str] = &[
    r#"int main(void){int*p=malloc(8); p[0]=1;p[1]=2; int*q=realloc(p,16);
        if(q[0]!=1||q[1]!=2) E; free(q); return 0;}"#,
    r#"int main(void){int*p=realloc(0,4); *p=1; free(p); return 0;}"#,
    r#"int main(void){char*p=N?malloc(1):0; free(p); p=0; free(p); return 0;}"#,
    r#"static char*keep; int main(void){keep=malloc(3); if(N) exit(0); free(keep); return 0;}"#,
    r#"
static char*p; static void f(void){free(p);} int main(void){atexit(f); p=malloc(2);
    p[0]=1; return 0;}"#,
];

pub(crate) const LISTS: &[&str] = &[
    r#"struct n{struct n*x;}; int main(void){struct n*h=0; int k=N; if(k<0||k>5) return 0;
        while(k--){struct n*n=malloc(sizeof*n); n->x=h; h=n;} struct n**pp=&h;
        while(*pp){struct n*t=*pp; *pp=t->x; free(t);} return 0;}"#,
    r#"struct n{struct n*x;}; int main(void){struct n*f=malloc(sizeof*f); f->x=f; int k=N&3;
        while(k--){struct n*n=malloc(sizeof*n); n->x=f->x; f->x=n;} struct n*p=f->x;
        while(p!=f){struct n*t=p->x; free(p); p=t;} free(f); return 0;}"#,
];
