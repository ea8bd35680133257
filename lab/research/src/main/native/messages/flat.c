/* The far side of a flat layout: a structure with offsets into what lies behind it, read where it is. */
#include "../message-hash.h"

#include <stdbool.h>

/* so many elements, so far from the structure's beginning */
struct span {
    uint32_t offset;
    uint32_t count;
};

struct message {
    double ratio;
    int32_t number;
    uint8_t flag;
    struct span text;    /* of bytes, UTF-8 */
    struct span names;   /* of spans of bytes, UTF-8 */
    struct span numbers; /* of int32_t */
};

/* where the elements are; NULL if not all of them lie within, or they are not aligned */
static const void *within(const char *base, int64_t length, struct span span, size_t size, size_t alignment) {
    uint64_t end = span.offset + (uint64_t)span.count * size;
    return end <= (uint64_t)length && span.offset % alignment == 0 ? base + span.offset : NULL;
}

static bool hash_text(uint64_t *hash, const char *base, int64_t length, struct span span) {
    const char *bytes = within(base, length, span, 1, 1);
    if (bytes == NULL) return false;
    *hash = hash_bytes(*hash, bytes, span.count);
    return true;
}

/* as protobuf's parser does, believes no length that it is told; 0 for what cannot be */
int64_t offhook_message_flat(const char *base, int64_t length) {
    if (length < (int64_t)sizeof(struct message)) return 0;
    const struct message *message = (const struct message *)base;
    const struct span *names = within(base, length, message->names, sizeof(struct span), _Alignof(struct span));
    const int32_t *numbers = within(base, length, message->numbers, sizeof(int32_t), _Alignof(int32_t));
    uint64_t hash = HASH_START;
    if (names == NULL || numbers == NULL || !hash_text(&hash, base, length, message->text)) return 0;
    hash = hash_word(hash, (uint32_t)message->number);
    hash = hash_double(hash, message->ratio);
    hash = hash_word(hash, message->flag);
    hash = hash_word(hash, message->names.count);
    for (uint32_t i = 0; i < message->names.count; i++) {
        if (!hash_text(&hash, base, length, names[i])) return 0;
    }
    hash = hash_word(hash, message->numbers.count);
    return (int64_t)hash_ints(hash, numbers, message->numbers.count);
}

/* the compiler's own offsets, in the order of the fields, and the size: for FlatWriterTest */
void offhook_message_flat_layout(int64_t layout[7]) {
    layout[0] = offsetof(struct message, ratio);
    layout[1] = offsetof(struct message, number);
    layout[2] = offsetof(struct message, flag);
    layout[3] = offsetof(struct message, text);
    layout[4] = offsetof(struct message, names);
    layout[5] = offsetof(struct message, numbers);
    layout[6] = sizeof(struct message);
}
