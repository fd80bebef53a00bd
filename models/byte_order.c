// defines: htonl htons ntohl ntohs
// Between the byte order of the machine (little-endian) and of the network (big-endian).

typedef __UINT32_TYPE__ uint32_t;
typedef __UINT16_TYPE__ uint16_t;

static uint32_t swap_long(uint32_t value)
{
    return (value >> 24) | ((value >> 8) & 0xff00u) | ((value & 0xff00u) << 8) | (value << 24);
}

static uint16_t swap_short(uint16_t value)
{
    return (uint16_t)(((value >> 8) & 0xff) | ((value & 0xff) << 8));
}

uint32_t htonl(uint32_t value)
{
    return swap_long(value);
}

uint16_t htons(uint16_t value)
{
    return swap_short(value);
}

uint32_t ntohl(uint32_t value)
{
    return swap_long(value);
}

uint16_t ntohs(uint16_t value)
{
    return swap_short(value);
}
