/*
 * The far side of the suite "layout": the same reads as in Java. Compiled without vectorizing (flags), as the Java side is:
 * what one read costs is asked, not what a loop over a column can be made into. Unrolled, which HotSpot does by itself and
 * C compilers do not.
 */
#include <string.h>
#include <wchar.h>

#include "../offsets.h"

/* fields in an order that leaves holes */
struct padded {
    uint8_t kind;
    uint32_t length;
    uint16_t port;
    uint64_t timestamp;
};

/* the same order without them */
struct __attribute__((packed)) packed {
    uint8_t kind;
    uint32_t length;
    uint16_t port;
    uint64_t timestamp;
};

/* the largest first: no hole but the one at the end */
struct sorted {
    uint64_t timestamp;
    uint32_t length;
    uint16_t port;
    uint8_t kind;
};

/* what alignment and byte order are measured with */
struct record {
    uint16_t port;
    uint32_t length;
    uint64_t timestamp;
};

static const struct offhook_offset offsets[] = {
    OFFHOOK_STRUCTURE(padded),
    OFFHOOK_FIELD(padded, kind),
    OFFHOOK_FIELD(padded, length),
    OFFHOOK_FIELD(padded, port),
    OFFHOOK_FIELD(padded, timestamp),
    OFFHOOK_STRUCTURE(packed),
    OFFHOOK_FIELD(packed, kind),
    OFFHOOK_FIELD(packed, length),
    OFFHOOK_FIELD(packed, port),
    OFFHOOK_FIELD(packed, timestamp),
    OFFHOOK_STRUCTURE(sorted),
    OFFHOOK_FIELD(sorted, timestamp),
    OFFHOOK_FIELD(sorted, length),
    OFFHOOK_FIELD(sorted, port),
    OFFHOOK_FIELD(sorted, kind),
    OFFHOOK_STRUCTURE(record),
    OFFHOOK_FIELD(record, port),
    OFFHOOK_FIELD(record, length),
    OFFHOOK_FIELD(record, timestamp),
    /* types of which docs/NATIVE-NUMBERS.md tells the size */
#define OFFHOOK_TYPE(type) {#type, 0, sizeof(type), _Alignof(type)}
    OFFHOOK_TYPE(char),
    OFFHOOK_TYPE(short),
    OFFHOOK_TYPE(int),
    OFFHOOK_TYPE(long),
    OFFHOOK_TYPE(long long),
    OFFHOOK_TYPE(size_t),
    OFFHOOK_TYPE(wchar_t),
    OFFHOOK_TYPE(float),
    OFFHOOK_TYPE(double),
    OFFHOOK_TYPE(_Bool),
    OFFHOOK_TYPE(void *),
    OFFHOOK_END,
};

const struct offhook_offset *offhook_offsets(void) { return offsets; }

#define SUM_OF_STRUCTURES(type)                                                                  \
    uint64_t offhook_sum_##type(const struct type *structures, int64_t count) {                  \
        uint64_t sum = 0;                                                                        \
        for (int64_t i = 0; i < count; i++) {                                                    \
            const struct type *s = structures + i;                                               \
            sum += s->kind + (uint64_t)s->length + s->port + s->timestamp;                       \
        }                                                                                        \
        return sum;                                                                              \
    }

SUM_OF_STRUCTURES(padded)
SUM_OF_STRUCTURES(packed)
SUM_OF_STRUCTURES(sorted)

uint64_t offhook_sum_aligned(const struct record *records, int64_t count) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < count; i++) sum += records[i].port + (uint64_t)records[i].length + records[i].timestamp;
    return sum;
}

/* the way that C allows: copies, of which compilers make plain loads; one a field, or two of them become one load */
uint64_t offhook_sum_misaligned(const char *records, int64_t count) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        const char *at = records + i * (int64_t)sizeof(struct record);
        uint16_t port;
        uint32_t length;
        uint64_t timestamp;
        memcpy(&port, at + offsetof(struct record, port), sizeof(port));
        memcpy(&length, at + offsetof(struct record, length), sizeof(length));
        memcpy(&timestamp, at + offsetof(struct record, timestamp), sizeof(timestamp));
        sum += port + (uint64_t)length + timestamp;
    }
    return sum;
}

/* 64 bits of each line of 64 bytes */
uint64_t offhook_sum_lines(const char *lines, int64_t count) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t value;
        memcpy(&value, lines + i * 64, sizeof(value));
        sum += value;
    }
    return sum;
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LITTLE(bits, value) (value)
#define BIG(bits, value) __builtin_bswap##bits(value)
#else
#define LITTLE(bits, value) __builtin_bswap##bits(value)
#define BIG(bits, value) (value)
#endif

#define SUM_OF_ORDER(name, ORDER)                                                                \
    uint64_t offhook_sum_##name(const struct record *records, int64_t count) {                   \
        uint64_t sum = 0;                                                                        \
        for (int64_t i = 0; i < count; i++) {                                                    \
            const struct record *r = records + i;                                                \
            sum += ORDER(16, r->port) + (uint64_t)ORDER(32, r->length) + ORDER(64, r->timestamp); \
        }                                                                                        \
        return sum;                                                                              \
    }

SUM_OF_ORDER(little, LITTLE)
SUM_OF_ORDER(big, BIG)
