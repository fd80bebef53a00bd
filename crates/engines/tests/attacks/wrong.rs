//! Programs with some execution that violates memory safety or reaches the error. `N` is any number,
//! `RARE` one of 2^32, `E` the error. gcc and its sanitizers confirm them on some input, but for what they
//! do not look at: a block at the address of a freed one, structs that overlap.

pub(crate) const BIT_FIELDS: &[&str] = &[
    r#"struct s{int a:1; unsigned b:3;}; int main(void){struct s s={0}; s.a=N&1; if(s.a<0) E;
        return 0;}"#,
    r#"struct s{unsigned b:3;}; int main(void){struct s s;
        unsigned v=__VERIFIER_nondet_uint(); s.b=v; if(s.b!=v) E; return 0;}"#,
    r#"struct s{unsigned a:4,b:4;}; int main(void){struct s s={3,5};
        unsigned char *p=(void*)&s; if(RARE) *p=0x53|0x0c; if(s.a!=3) E; return 0;}"#,
    r#"struct s{unsigned long a:33;}; int main(void){struct s s; s.a=(unsigned long)(long)N;
        if((s.a>>32)==1) E; return 0;}"#,
    r#"struct s{int a:3;}; int main(void){struct s s; s.a=N; int i=0; if(s.a==-3) E; return i;}"#,
    r#"struct s{_Bool a:1;}; int main(void){struct s s; s.a=N; if(s.a==1) E; return 0;}"#,
    r#"struct s{unsigned c:3;}; int main(void){struct s s={0}; int n=N; if(n<0||n>20)
        return 0; for(int i=0;i<=n;i++) s.c++; if(s.c==0) E; return 0;}"#,
];

pub(crate) const UNIONS_AND_PADDING: &[&str] = &[
    r#"union u{float f; unsigned i;}; int main(void){union u u; u.f=1.0f; if(N==0)
        u.i|=0x80000000u; if(u.f<0) E; return 0;}"#,
    r#"union u{int *p; unsigned char b[8];}; int main(void){union u u; int x[2]; u.p=x;
        if(RARE) u.b[0]+=4; x[0]=0;x[1]=7; if(*u.p==7) E; return 0;}"#,
    r#"union u{int i; short s;}; int main(void){union u u; u.i=0x10000; u.s=1;
        if(u.i==0x10001&&N==0) E; return 0;}"#,
    r#"struct n{struct n*next; union{int i; struct n*q;}u;};
        int main(void){struct n*a=malloc(sizeof*a),*c=malloc(sizeof*c); a->next=c;
        c->next=0; a->u.q=c; c->u.i=3; if(RARE) a->u.i=0; struct n*t=a->u.q; t->u.i=1;
        free(c); free(a); return 0;}"#,
    r#"struct s{char c; int i;}; int main(void){struct s
        *a=malloc(sizeof*a),*c=malloc(sizeof*c); a->c=c->c=1; a->i=c->i=2; ((char*)a)[1]=5;
        ((char*)c)[1]=6; int r=memcmp(a,c,sizeof*a); free(a); free(c); if(r) E; return 0;}"#,
    r#"struct s{int n; char d[];}; int main(void){int n=N&7;
        struct s*s=malloc(sizeof(struct s)+n); s->n=n; for(int i=0;i<=s->n;i++) s->d[i]=0;
        free(s); return 0;}"#,
    r#"struct s{int n; int d[];}; int main(void){int k=RARE?3:0;
        struct s*s=malloc(sizeof*s+k); s->n=k; if(k) s->d[0]=1; free(s); return 0;}"#,
];

pub(crate) const FUNCTION_POINTERS: &[&str] = &[
    r#"static long large(void){return 4294967296L;} int main(void){int(*f)(void)=(int(*)(void))large;
        if(N*31+N*7919==987654321){int x=f(); if(x==0) E;} return 0;}"#,
    r#"static void f(void){} static void g(void){E;} int main(void){void(*t[3])(void)={f,f,g};
        unsigned i=__VERIFIER_nondet_uint()%3; t[i](); return 0;}"#,
    r#"static int f(int x){return x;} int main(void){int(*t[3])(int)={f,f,f};
        unsigned i=__VERIFIER_nondet_uint()%4; return t[i](0);}"#,
    r#"static int f(int x){return x;} int main(void){int(*p)(int)=f; if(RARE) p=0;
        return p(0);}"#,
    r#"struct o{void(*del)(struct o*); int x;}; static void d(struct o*o){free(o);}
        static void d2(struct o*o){o->x=0;} int main(void){struct o*o=malloc(sizeof*o);
        o->del=RARE?d2:d; o->x=1; o->del(o); return 0;}"#,
    r#"static int dec(int n,int(*k)(int,int(*)(int,void*))); static int z(int n){if(n==0) E;
        return n>0?z(n-1):0;} int main(void){int n=N; if(n<0||n>50) return 0;
        return z(n)*0;}"#,
];

pub(crate) const RECURSION: &[&str] = &[
    r#"static int f(int n){int a[40]; if(n<0) return 0; a[n]=n; return f(n-1)+a[n];}
        int main(void){int n=N; if(n<0||n>40) return 0; return f(n)*0;}"#,
    r#"static int odd(int); static int even(int n){return n==0?1:odd(n-1);}
        static int odd(int n){return n==0?0:even(n-1);} int main(void){int n=N;
        if(n<0||n>30) return 0; if(!even(n)) E; return 0;}"#,
    r#"static int f(int n){static int c; c++; if(n>0) f(n-1); return c;}
        int main(void){int n=N; if(n<0||n>20) return 0; if(f(n)>6) E; return 0;}"#,
    r#"struct n{struct n*next;}; static void fr(struct n*p,int k){if(!p) return;
        fr(p->next,k-1); if(k!=3||!RARE) free(p);} int main(void){int n=N; if(n<0||n>8)
        return 0; struct n*h=0; while(n-->0){struct n*x=malloc(sizeof*x); x->next=h; h=x;}
        fr(h,5); return 0;}"#,
    r#"static int *keep; static void f(int n){int x=n; if(n==2) keep=&x; if(n>0) f(n-1);}
        int main(void){f(N&3); if(keep) *keep=1; return 0;}"#,
];

pub(crate) const JUMPS: &[&str] = &[
    r#"int main(void){int x=0; switch(N){case 1: x++; case 2: x++; break; default: x=0;}
        if(x==2) E; return 0;}"#,
    r#"int main(void){int n=N; if(n<1||n>12) return 0; int a[12]={0},i=0,k=(n+3)/4;
        switch(n%4){case 0: do{a[i++]=1; case 3:a[i++]=1; case 2:a[i++]=1;
        case 1:a[i++]=1;}while(--k>0);} if(i==7) E; return 0;}"#,
    r#"int main(void){int *p=0; if(N==0) goto in; {int x; p=&x; in: x=3; } if(p) {*p=1;}
        else E; return 0;}"#,
    r#"int main(void){int i=0,n=N; if(n<0||n>9) return 0; again: {int x[2]; x[0]=i; i++;
        if(i<n) goto again; if(x[0]==4) E;} return 0;}"#,
    r#"int main(void){unsigned char c=(unsigned char)N; switch(c){case 253: E; default: ;}
        return 0;}"#,
    r#"int main(void){long l=(long)N<<32; switch((int)l){case 0: E;} return 0;}"#,
];

pub(crate) const LITERALS_AND_SCOPES: &[&str] = &[
    r#"int main(void){int *p=0; for(int i=0;i<(N&3);i++){ p=(int[]){i,i+1}; } if(p)
        return p[2]; return 0;}"#,
    r#"struct s{int *p;}; int main(void){struct s s={0}; if(RARE){ int *q=(int[1]){4}; s.p=q;
        } if(s.p) *s.p=1; return 0;}"#,
    r#"#include <stdarg.h>
static int sum(int n,...){va_list a; va_start(a,n); int s=0; while(n-->0)
    s+=va_arg(a,int); va_end(a); return s;} int main(void){int n=N; if(n<0||n>3)
    return 0; int r=n==3?sum(3,1,2,4):0; if(r==7) E; return 0;}"#,
    r#"int main(void){int n=N; if(n<1||n>4) return 0; char a[n]; int k=sizeof(a)+1; n=7;
        if(sizeof a==3) a[k-1]=0; return 0;}"#,
    r#"int main(void){int n=N; if(n<1||n>4) return 0; int a[n][n+1]; a[n-1][n+1]=0;
        int *p=&a[0][0]; if(n==2) p[6]=1; return 0;}"#,
    r#"int main(void){int n=2; int a[n++]; a[0]=0; a[n-1]=1; return 0;}"#,
];

pub(crate) const NUMBERS: &[&str] = &[
    r#"int main(void){char c=(char)N; if(c<0) E; return 0;}"#,
    r#"int main(void){static int t[128]; char c=__VERIFIER_nondet_char(); if(c<=127)
        t[(int)c]=1; return 0;}"#,
    r#"int main(void){unsigned char c=__VERIFIER_nondet_uchar(); c--; if(c==255) E; return 0;}"#,
    r#"int main(void){short s=__VERIFIER_nondet_short(); s=-s; if(s<0&&s==-32768) E; return 0;}"#,
    r#"int main(void){_Bool x=N; int y=x+x; if(y==2) E; return 0;}"#,
    r#"int main(void){_Bool x=(_Bool)0.25; int *p=0; if(x) return *p; return 0;}"#,
    r#"enum e{A=-1,B}; int main(void){enum e x=(enum e)N; unsigned u=x; if(u>5&&x==A) E;
        return 0;}"#,
    r#"enum e{A,B}; int main(void){enum e x=A; x=(enum e)(x-1); if(x>B) E; return 0;}"#,
    r#"int main(void){unsigned n=__VERIFIER_nondet_uint()&63; unsigned long x=1UL<<n;
        if((int)x==0&&n==63) E; return 0;}"#,
    r#"int main(void){unsigned n=__VERIFIER_nondet_uint()&63; unsigned long x=1UL<<n;
        unsigned y=x; if(y==0) E; return 0;}"#,
    r#"int main(void){int x=N; if((x>>1)==-4&&(x/2)==-4&&((unsigned)x>>1)!=0) E; return 0;}"#,
    r#"int main(void){int x=N; if(x%2==-1) E; return 0;}"#,
    r#"int main(void){double z=N==0?0.0:1.0; double x=z/z; if(!(x==x)) E; return 0;}"#,
    r#"int main(void){int i=N; if(i<0||i>20000000) return 0; float f=i; if((int)f!=i) E;
        return 0;}"#,
    r#"int main(void){double x=-0.0; unsigned long u; memcpy(&u,&x,8); if(u!=0&&N==0) E;
        return 0;}"#,
    r#"int main(void){float a=16777216.0f; float c=a+1.0f+1.0f; float d=a+(1.0f+1.0f);
        if(c!=d) E; return 0;}"#,
    r#"int main(void){int i=N; unsigned n=4; int a[4]={0}; if(i<4&&(i>=0||i>n)) {if(i<0) E;
        a[i]=1;} return 0;}"#,
    r#"int main(void){unsigned n=__VERIFIER_nondet_uint(); int a[4]={0}; if(n<4)
        for(unsigned i=0;i<n-1&&i<5;i++) a[i]=1; return 0;}"#,
    r#"int main(void){int x; unsigned char c; x=c=N; if(x==44) E; return 0;}"#,
];

pub(crate) const ADDRESSES: &[&str] = &[
    r#"int main(void){int*p=malloc(4); int*q=p; free(p); int*r=malloc(4); if(r==q) *q=1;
        free(r); return 0;}"#,
    r#"int main(void){int*p=malloc(4),*q=malloc(4); int **a=&p,**c=&q; if(RARE) c=&p;
        free(*a); free(*c); if(c==&p) return 0; return 0;}"#,
    r#"int main(void){char *b=malloc(8); int *p=(int*)(b+(N==0?5:4)); *p=1; free(b); return 0;}"#,
    r#"int main(void){long *p=malloc(8); unsigned long t=(unsigned long)p|(N&1);
        long *q=(long*)t; if(t&1) q=(long*)(t+7); *q=1; free(p); return 0;}"#,
    r#"struct s{char c[3];}; int main(void){struct s a[4]; struct s*p=a,*q=a+3; long d=q-p;
        if(d==3&&N==0) E; return 0;}"#,
    r#"int main(void){int a[4]={0}; int *p=a+2; int i=N; if(i>-4&&i<2) p[i]=1; return a[3];}"#,
];

pub(crate) const SIZES: &[&str] = &[
    r#"int main(void){char a[8]; unsigned n=__VERIFIER_nondet_uint(); if(n>9) return 0;
        memset(a,0,n); return 0;}"#,
    r#"int main(void){char a[8]={0}; unsigned n=__VERIFIER_nondet_uint()&7; memmove(a+n,a,6);
        return 0;}"#,
    r#"int main(void){unsigned n=__VERIFIER_nondet_uint(); if(n>16) return 0;
        char*p=malloc(n+1); memset(p,1,n); p[n]=0; if(strlen(p)==8) E; free(p); return 0;}"#,
    r#"int main(void){char a[4]; int n=N; if(n<4) memset(a,0,n); return 0;}"#,
    r#"int main(void){unsigned n=__VERIFIER_nondet_uint(); int*p=malloc(n*4u); if(p&&n>0)
        p[0]=1; free(p); return 0;}"#,
    r#"struct s{int a[4];}; int main(void){int x[6]={0};
        struct s*p=(void*)x,*q=(void*)(x+(RARE?2:0)); *p=*q; return 0;}"#,
];

pub(crate) const STRINGS: &[&str] = &[
    r#"int main(void){char a[4],c[4]={0}; strncpy(a,"abcd",4); if(N==0) strcpy(c,a); return 0;}"#,
    r#"int main(void){char s[]="a,b,c"; char*t=strtok(s,","); int n=0; while(t){n++;
        t=strtok(0,",");} if(n==3) E; return 0;}"#,
    r#"int main(void){char a[6]="ab"; int n=N&3; for(int i=0;i<n;i++) strcat(a,"xy");
        return 0;}"#,
    r#"int main(void){const char*s="ab"; char*p=strchr(s,N&1?98:0); if(p-s==2) E; return 0;}"#,
    r#"int main(void){char a[2]={(char)200,0}; if(strcmp(a,"a")>0) E; return 0;}"#,
    r#"
static int c(const void*a,const void*b){return *(const int*)a-*(const int*)b;}
    int main(void){int a[3]={2,1,N==1?7:0}; qsort(a,3,sizeof(int),c); if(a[2]==7) E;
    return 0;}"#,
    r#"int main(void){char x[3]="ab"; char*p=RARE?"cd":x; p[0]=65; return 0;}"#,
];

pub(crate) const CONSTANTS_AND_VALUES: &[&str] = &[
    r#"static const char t[3]={1,2,3}; int main(void){char x[3]; char*p=RARE?(char*)t:x;
        p[0]=1; return 0;}"#,
    r#"struct s{int a[3];}; static struct s f(struct s x,int i){x.a[i]=1; return x;}
        int main(void){struct s s={{0}}; int i=N; if(i<0||i>3) i=3; s=f(s,i);
        return s.a[0];}"#,
    r#"struct s{int *p;}; static void f(struct s x){free(x.p); x.p=0;}
        int main(void){struct s s={malloc(4)}; f(s); if(RARE) free(s.p); return 0;}"#,
    r#"int main(void){int i=0,a[2]={0}; i=(N,2); a[i-1]=1; if((i++,i)==3) E; return a[0];}"#,
    r#"int main(void){int a=0,c=0; *(N?&a:&c)=5; if(c==5) E; return 0;}"#,
    r#"int main(void){int a[4]={0},i=N; if(i<0||i>3) return 0; a[i++]=1; a[i]=2; return 0;}"#,
];

pub(crate) const LIVES: &[&str] = &[
    r#"int main(void){int*p=malloc(8); int*q=p; p=realloc(p,N==0?800:8); q[0]=1; free(p);
        return 0;}"#,
    r#"int main(void){char*p=malloc(8); char*q=realloc(p,16); if(RARE) q=malloc(1); free(q);
        return 0;}"#,
    r#"
static char*p; static void f(void){free(p);} int main(void){atexit(f); p=malloc(2);
    if(N==0) free(p); return 0;}"#,
    r#"static void f(void){char*p=malloc(3); p[0]=0; p=0; exit(0);} int main(void){if(N==0)
        f(); return 0;}"#,
];

pub(crate) const LISTS: &[&str] = &[
    r#"struct n{struct n*x,*p;}; int main(void){int k=N; if(k<0||k>6) return 0; struct n*h=0;
        while(k-->0){struct n*n=malloc(sizeof*n); n->x=h; n->p=0; if(h)
        h->p=(k==1&&RARE)?h:n; h=n;} for(struct n*q=h;q;q=q->x) if(q->p&&q->p->x!=q) E;
        while(h){struct n*t=h->x; free(h); h=t;} return 0;}"#,
    r#"struct n{struct n*x;int v;}; int main(void){int k=N; if(k<1||k>5) return 0;
        struct n*f=malloc(sizeof*f); f->x=f; f->v=0;
        for(int i=1;i<k;i++){struct n*n=malloc(sizeof*n); n->v=i; n->x=f->x; f->x=n;}
        struct n*p=f->x; while(p!=f){struct n*t=p->x; free(p); p=t;} if(p->v==0&&k==3)
        p=p->x->x; free(p); p->v=1; return 0;}"#,
];
