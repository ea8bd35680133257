/* What the compiler says of structures: a test holds the layouts of the Java side against it. */
#ifndef OFFHOOK_OFFSETS_H
#define OFFHOOK_OFFSETS_H

#include <stddef.h>
#include <stdint.h>

struct offhook_offset {
    const char *name; /* "structure" or "structure.field" */
    int64_t offset;   /* of a field; 0 of a structure */
    int64_t size;
    int64_t alignment; /* of a structure; 0 of a field */
};

#define OFFHOOK_STRUCTURE(type) {#type, 0, sizeof(struct type), _Alignof(struct type)}
#define OFFHOOK_FIELD(type, field) {#type "." #field, offsetof(struct type, field), sizeof(((struct type *)0)->field), 0}
#define OFFHOOK_END {NULL, 0, 0, 0}

/* every library that has structures exports its table; the last one has no name */
const struct offhook_offset *offhook_offsets(void);

#endif
