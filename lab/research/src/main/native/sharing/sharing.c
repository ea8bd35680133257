/* The far side of the suite "sharing": an IPv4 and UDP header that native code hands to Java and takes back. */
#include <jni.h>
#include <string.h>

#include "../offsets.h"

/* as on the wire: big-endian, nothing between the fields */
struct header {
    uint8_t version_words;
    uint8_t traffic_class;
    uint16_t total_length;
    uint16_t identification;
    uint16_t flags_offset;
    uint8_t ttl;
    uint8_t protocol;
    uint16_t checksum;
    uint32_t source;
    uint32_t destination;
    uint16_t source_port;
    uint16_t destination_port;
    uint16_t length;
    uint16_t udp_checksum;
};

static const struct offhook_offset offsets[] = {
    OFFHOOK_STRUCTURE(header),
    OFFHOOK_FIELD(header, version_words),
    OFFHOOK_FIELD(header, traffic_class),
    OFFHOOK_FIELD(header, total_length),
    OFFHOOK_FIELD(header, identification),
    OFFHOOK_FIELD(header, flags_offset),
    OFFHOOK_FIELD(header, ttl),
    OFFHOOK_FIELD(header, protocol),
    OFFHOOK_FIELD(header, checksum),
    OFFHOOK_FIELD(header, source),
    OFFHOOK_FIELD(header, destination),
    OFFHOOK_FIELD(header, source_port),
    OFFHOOK_FIELD(header, destination_port),
    OFFHOOK_FIELD(header, length),
    OFFHOOK_FIELD(header, udp_checksum),
    OFFHOOK_END,
};

const struct offhook_offset *offhook_offsets(void) { return offsets; }

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NETWORK16(value) __builtin_bswap16(value)
#define NETWORK32(value) __builtin_bswap32(value)
#else
#define NETWORK16(value) (value)
#define NETWORK32(value) (value)
#endif

/* what all techniques do to a header, done where it lies; the sum is that of what was read */
static inline int64_t change(struct header *header) {
    uint8_t ttl = header->ttl;
    uint16_t identification = NETWORK16(header->identification);
    uint32_t source = NETWORK32(header->source);
    uint16_t source_port = NETWORK16(header->source_port);
    header->ttl = (uint8_t)(ttl - 1);
    header->identification = NETWORK16((uint16_t)(identification + 1));
    header->source = NETWORK32(source + 1);
    header->source_port = NETWORK16((uint16_t)(source_port + 1));
    return (int64_t)ttl + identification + source + source_port;
}

/* C alone: a round over several places, of which each has so many packets, a power of two */
int64_t offhook_change_all(const int64_t *places, int64_t place_count, int64_t slots, int64_t stride, int64_t packets) {
    int64_t sum = 0;
    for (int64_t i = 0; i < packets; i += place_count) {
        int64_t offset = (i / place_count & (slots - 1)) * stride;
        for (int64_t place = 0; place < place_count; place++) sum += change((struct header *)(intptr_t)(places[place] + offset));
    }
    return sum;
}

static struct {
    jfieldID ttl, identification, source, source_port;
    jmethodID set_ttl, set_identification, set_source, set_source_port;
    jmethodID get_ttl, get_identification, get_source, get_source_port;
} known;

JNIEXPORT void JNICALL Java_io_offhook_research_sharing_SharingNatives_prepare(JNIEnv *env, jclass type, jclass header) {
    (void)type;
    known.ttl = (*env)->GetFieldID(env, header, "ttl", "I");
    known.identification = (*env)->GetFieldID(env, header, "identification", "I");
    known.source = (*env)->GetFieldID(env, header, "source", "J");
    known.source_port = (*env)->GetFieldID(env, header, "sourcePort", "I");
    known.set_ttl = (*env)->GetMethodID(env, header, "setTtl", "(I)V");
    known.set_identification = (*env)->GetMethodID(env, header, "setIdentification", "(I)V");
    known.set_source = (*env)->GetMethodID(env, header, "setSource", "(J)V");
    known.set_source_port = (*env)->GetMethodID(env, header, "setSourcePort", "(I)V");
    known.get_ttl = (*env)->GetMethodID(env, header, "getTtl", "()I");
    known.get_identification = (*env)->GetMethodID(env, header, "getIdentification", "()I");
    known.get_source = (*env)->GetMethodID(env, header, "getSource", "()J");
    known.get_source_port = (*env)->GetMethodID(env, header, "getSourcePort", "()I");
}

/* fields whose IDs are known */
JNIEXPORT void JNICALL Java_io_offhook_research_sharing_SharingNatives_fill(JNIEnv *env, jclass type, jobject object, jlong address) {
    (void)type;
    const struct header *header = (const struct header *)(intptr_t)address;
    (*env)->SetIntField(env, object, known.ttl, header->ttl);
    (*env)->SetIntField(env, object, known.identification, NETWORK16(header->identification));
    (*env)->SetLongField(env, object, known.source, (jlong)NETWORK32(header->source));
    (*env)->SetIntField(env, object, known.source_port, NETWORK16(header->source_port));
}

JNIEXPORT void JNICALL Java_io_offhook_research_sharing_SharingNatives_drain(JNIEnv *env, jclass type, jobject object, jlong address) {
    (void)type;
    struct header *header = (struct header *)(intptr_t)address;
    header->ttl = (uint8_t)(*env)->GetIntField(env, object, known.ttl);
    header->identification = NETWORK16((uint16_t)(*env)->GetIntField(env, object, known.identification));
    header->source = NETWORK32((uint32_t)(*env)->GetLongField(env, object, known.source));
    header->source_port = NETWORK16((uint16_t)(*env)->GetIntField(env, object, known.source_port));
}

/* fields that are looked up by name each time, as much native code has it */
JNIEXPORT void JNICALL Java_io_offhook_research_sharing_SharingNatives_fillLookingUp(JNIEnv *env, jclass type, jobject object, jlong address) {
    (void)type;
    const struct header *header = (const struct header *)(intptr_t)address;
    jclass class = (*env)->GetObjectClass(env, object);
    (*env)->SetIntField(env, object, (*env)->GetFieldID(env, class, "ttl", "I"), header->ttl);
    (*env)->SetIntField(env, object, (*env)->GetFieldID(env, class, "identification", "I"), NETWORK16(header->identification));
    (*env)->SetLongField(env, object, (*env)->GetFieldID(env, class, "source", "J"), (jlong)NETWORK32(header->source));
    (*env)->SetIntField(env, object, (*env)->GetFieldID(env, class, "sourcePort", "I"), NETWORK16(header->source_port));
}

JNIEXPORT void JNICALL Java_io_offhook_research_sharing_SharingNatives_drainLookingUp(JNIEnv *env, jclass type, jobject object, jlong address) {
    (void)type;
    struct header *header = (struct header *)(intptr_t)address;
    jclass class = (*env)->GetObjectClass(env, object);
    header->ttl = (uint8_t)(*env)->GetIntField(env, object, (*env)->GetFieldID(env, class, "ttl", "I"));
    jint identification = (*env)->GetIntField(env, object, (*env)->GetFieldID(env, class, "identification", "I"));
    header->identification = NETWORK16((uint16_t)identification);
    jlong source = (*env)->GetLongField(env, object, (*env)->GetFieldID(env, class, "source", "J"));
    header->source = NETWORK32((uint32_t)source);
    jint source_port = (*env)->GetIntField(env, object, (*env)->GetFieldID(env, class, "sourcePort", "I"));
    header->source_port = NETWORK16((uint16_t)source_port);
}

/* the object's own setters and getters, in Java; these throw nothing */
JNIEXPORT void JNICALL Java_io_offhook_research_sharing_SharingNatives_fillBySetters(JNIEnv *env, jclass type, jobject object, jlong address) {
    (void)type;
    const struct header *header = (const struct header *)(intptr_t)address;
    (*env)->CallVoidMethod(env, object, known.set_ttl, (jint)header->ttl);
    (*env)->CallVoidMethod(env, object, known.set_identification, (jint)NETWORK16(header->identification));
    (*env)->CallVoidMethod(env, object, known.set_source, (jlong)NETWORK32(header->source));
    (*env)->CallVoidMethod(env, object, known.set_source_port, (jint)NETWORK16(header->source_port));
}

JNIEXPORT void JNICALL Java_io_offhook_research_sharing_SharingNatives_drainByGetters(JNIEnv *env, jclass type, jobject object, jlong address) {
    (void)type;
    struct header *header = (struct header *)(intptr_t)address;
    header->ttl = (uint8_t)(*env)->CallIntMethod(env, object, known.get_ttl);
    header->identification = NETWORK16((uint16_t)(*env)->CallIntMethod(env, object, known.get_identification));
    header->source = NETWORK32((uint32_t)(*env)->CallLongMethod(env, object, known.get_source));
    header->source_port = NETWORK16((uint16_t)(*env)->CallIntMethod(env, object, known.get_source_port));
}

JNIEXPORT void JNICALL Java_io_offhook_research_sharing_SharingNatives_copyIn(JNIEnv *env, jclass type, jobject buffer, jlong address) {
    (void)type;
    memcpy((*env)->GetDirectBufferAddress(env, buffer), (const void *)(intptr_t)address, sizeof(struct header));
}

JNIEXPORT void JNICALL Java_io_offhook_research_sharing_SharingNatives_copyOut(JNIEnv *env, jclass type, jobject buffer, jlong address) {
    (void)type;
    memcpy((void *)(intptr_t)address, (*env)->GetDirectBufferAddress(env, buffer), sizeof(struct header));
}
