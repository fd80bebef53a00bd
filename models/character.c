// defines: isalpha isdigit isalnum isspace isupper islower isxdigit ispunct isprint isgraph iscntrl isblank isascii toupper tolower toascii
// Characters in the C locale. A test that holds gives the same bit as glibc's: C promises only that
// it is not zero. EOF and whatever is no unsigned char belong to no class.

static _Bool within(int character, int first, int last)
{
    return first <= character && character <= last;
}

static _Bool is_letter(int character)
{
    return within(character, 'A', 'Z') || within(character, 'a', 'z');
}

static _Bool is_letter_or_digit(int character)
{
    return is_letter(character) || within(character, '0', '9');
}

int isalpha(int character)
{
    return is_letter(character) ? 1024 : 0;
}

int isdigit(int character)
{
    return within(character, '0', '9') ? 2048 : 0;
}

int isalnum(int character)
{
    return is_letter_or_digit(character) ? 8 : 0;
}

int isspace(int character)
{
    return character == ' ' || within(character, '\t', '\r') ? 8192 : 0;
}

int isupper(int character)
{
    return within(character, 'A', 'Z') ? 256 : 0;
}

int islower(int character)
{
    return within(character, 'a', 'z') ? 512 : 0;
}

int isxdigit(int character)
{
    if (within(character, '0', '9') || within(character, 'A', 'F') || within(character, 'a', 'f'))
        return 4096;
    return 0;
}

int ispunct(int character)
{
    return within(character, '!', '~') && !is_letter_or_digit(character) ? 4 : 0;
}

int isprint(int character)
{
    return within(character, ' ', '~') ? 16384 : 0;
}

int isgraph(int character)
{
    return within(character, '!', '~') ? 32768 : 0;
}

int iscntrl(int character)
{
    return within(character, 0, 31) || character == 127 ? 2 : 0;
}

int isblank(int character)
{
    return character == ' ' || character == '\t' ? 1 : 0;
}

int isascii(int character)
{
    return within(character, 0, 127);
}

// glibc takes a negative char that is not EOF for the unsigned char with the same bits.
static int unchanged(int character)
{
    return within(character, -128, -2) ? character + 256 : character;
}

int toupper(int character)
{
    if (within(character, 'a', 'z'))
        return character - 'a' + 'A';
    return unchanged(character);
}

int tolower(int character)
{
    if (within(character, 'A', 'Z'))
        return character - 'A' + 'a';
    return unchanged(character);
}

int toascii(int character)
{
    return character & 127;
}
