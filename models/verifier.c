// defines: __VERIFIER_error reach_error
// The functions that tasks call where something is wrong. Whether a call is a violation is for the
// property to say; the call itself ends the program.

extern void abort(void);

void __VERIFIER_error(void)
{
    abort();
}

void reach_error(void)
{
    abort();
}
