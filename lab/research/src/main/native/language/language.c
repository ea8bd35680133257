/* The far side of the suite "language": five fields set, multiplied, the product put back. */
#include <jni.h>

#include "../offsets.h"

struct packet {
    uint64_t product;
    uint64_t timestamp;
    uint32_t captured;
    uint32_t wire;
    uint16_t port;
    uint8_t ttl;
};

enum { DRAWS = 1024 };

static const struct offhook_offset offsets[] = {
    OFFHOOK_STRUCTURE(packet),
    OFFHOOK_FIELD(packet, product),
    OFFHOOK_FIELD(packet, timestamp),
    OFFHOOK_FIELD(packet, captured),
    OFFHOOK_FIELD(packet, wire),
    OFFHOOK_FIELD(packet, port),
    OFFHOOK_FIELD(packet, ttl),
    OFFHOOK_END,
};

const struct offhook_offset *offhook_offsets(void) { return offsets; }

static inline void set(struct packet *restrict packet, const uint64_t *restrict draws, int64_t at) {
    packet->timestamp = draws[at & (DRAWS - 1)];
    packet->captured = (uint32_t)draws[(at + 1) & (DRAWS - 1)];
    packet->wire = (uint32_t)draws[(at + 2) & (DRAWS - 1)];
    packet->port = (uint16_t)draws[(at + 3) & (DRAWS - 1)];
    packet->ttl = (uint8_t)draws[(at + 4) & (DRAWS - 1)];
    packet->product = packet->timestamp * packet->captured * packet->wire * packet->port * packet->ttl;
}

/* one packet: what is called for each */
void offhook_set(struct packet *packet, const uint64_t *draws, int64_t at) { set(packet, draws, at); }

/* a whole round: C alone */
void offhook_set_all(struct packet *restrict packets, int64_t count, const uint64_t *restrict draws, int64_t at) {
    for (int64_t i = 0; i < count; i++) set(packets + i, draws, at + 5 * i);
}

JNIEXPORT void JNICALL Java_io_offhook_research_language_LanguageNatives_set(JNIEnv *env, jclass type, jlong packet, jlong draws, jlong at) {
    (void)env;
    (void)type;
    set((struct packet *)(intptr_t)packet, (const uint64_t *)(intptr_t)draws, at);
}

static struct {
    jfieldID product, timestamp, captured, wire, port, ttl;
} fields;

JNIEXPORT void JNICALL Java_io_offhook_research_language_LanguageNatives_prepare(JNIEnv *env, jclass type, jclass packet) {
    (void)type;
    fields.product = (*env)->GetFieldID(env, packet, "product", "J");
    fields.timestamp = (*env)->GetFieldID(env, packet, "timestamp", "J");
    fields.captured = (*env)->GetFieldID(env, packet, "captured", "I");
    fields.wire = (*env)->GetFieldID(env, packet, "wire", "I");
    fields.port = (*env)->GetFieldID(env, packet, "port", "S");
    fields.ttl = (*env)->GetFieldID(env, packet, "ttl", "B");
}

/* the same into a Java object; its fields are known */
JNIEXPORT void JNICALL Java_io_offhook_research_language_LanguageNatives_setObject(JNIEnv *env, jclass type, jobject object, jlong draws, jlong at) {
    (void)type;
    struct packet packet;
    set(&packet, (const uint64_t *)(intptr_t)draws, at);
    (*env)->SetLongField(env, object, fields.timestamp, (jlong)packet.timestamp);
    (*env)->SetIntField(env, object, fields.captured, (jint)packet.captured);
    (*env)->SetIntField(env, object, fields.wire, (jint)packet.wire);
    (*env)->SetShortField(env, object, fields.port, (jshort)packet.port);
    (*env)->SetByteField(env, object, fields.ttl, (jbyte)packet.ttl);
    (*env)->SetLongField(env, object, fields.product, (jlong)packet.product);
}
