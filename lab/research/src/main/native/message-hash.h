/*
 * What each way of handing a message over makes of it, so that native code has looked at all of it: every field, every
 * element, every byte of a string. MessageHash.java computes the same. Cheap, so that the way there is what is measured.
 */
#ifndef OFFHOOK_BENCH_MESSAGE_HASH_H
#define OFFHOOK_BENCH_MESSAGE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_word(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static inline uint64_t hash_double(uint64_t hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return hash_word(hash, bits);
}

/* its length, then eight bytes at a time in the machine's order, the last ones filled up with zeros */
static inline uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t length) {
    uint64_t word;
    hash = hash_word(hash, length);
    for (; length >= sizeof(word); bytes += sizeof(word), length -= sizeof(word)) {
        memcpy(&word, bytes, sizeof(word));
        hash = hash_word(hash, word);
    }
    if (length > 0) {
        word = 0;
        memcpy(&word, bytes, length);
        hash = hash_word(hash, word);
    }
    return hash;
}

/* without its count: arrays come in parts */
static inline uint64_t hash_ints(uint64_t hash, const int32_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) hash = hash_word(hash, (uint32_t)values[i]);
    return hash;
}

#endif
