/* The work that every peer does to a packet: find TCP or UDP behind Ethernet, VLAN tags and IPv4 or IPv6; count both,
 * and add up the ports. */
#include "found.h"
#include <string.h>

static inline uint16_t be16(const uint8_t *p) { uint16_t v; memcpy(&v, p, 2); return __builtin_bswap16(v); }

static inline void find_transport(const uint8_t *p, uint32_t len, struct found *f) {
    f->packets++;
    if (len < 14) return;
    uint32_t at = 14, end = len;
    uint16_t type = be16(p + 12);
    while (type == 0x8100 || type == 0x88a8) {
        if (end - at < 4) return;
        type = be16(p + at + 2);
        at += 4;
    }
    uint8_t proto;
    if (type == 0x800) {
        if (end - at < 20 || p[at] >> 4 != 4) return;
        uint32_t header = (p[at] & 15) * 4, total = be16(p + at + 2);
        if (header < 20 || total < header || end - at < header || be16(p + at + 6) & 0x1fff) return;
        if (at + total < end) end = at + total;
        proto = p[at + 9];
        at += header;
    } else if (type == 0x86dd) {
        if (end - at < 40 || p[at] >> 4 != 6) return;
        uint32_t total = 40 + be16(p + at + 4);
        if (at + total < end) end = at + total;
        proto = p[at + 6];
        at += 40;
    } else return;
    if (proto == 17 && end - at >= 8) f->udp++;
    else if (proto == 6 && end - at >= 20) f->tcp++;
    else return;
    f->ports += be16(p + at) + be16(p + at + 2);
}
