/* The far side of a Java object that is handed over as it is: JNI asks for each field, by an ID that was looked up once. */
#include "../message-hash.h"

#include <jni.h>

/* a string of more bytes, an array of more ints, takes another way or comes in parts */
#define STRING_BYTES 512
#define INTS 256

static struct {
    jfieldID text, number, ratio, flag, names, numbers;
} fields;

JNIEXPORT void JNICALL Java_io_offhook_research_messages_MessageNatives_remember(JNIEnv *env, jclass type, jclass message) {
    (void)type;
    fields.text = (*env)->GetFieldID(env, message, "text", "Ljava/lang/String;");
    if (fields.text == NULL) return;
    fields.number = (*env)->GetFieldID(env, message, "number", "I");
    if (fields.number == NULL) return;
    fields.ratio = (*env)->GetFieldID(env, message, "ratio", "D");
    if (fields.ratio == NULL) return;
    fields.flag = (*env)->GetFieldID(env, message, "flag", "Z");
    if (fields.flag == NULL) return;
    fields.names = (*env)->GetFieldID(env, message, "names", "[Ljava/lang/String;");
    if (fields.names == NULL) return;
    fields.numbers = (*env)->GetFieldID(env, message, "numbers", "[I");
}

/* copies to the stack, which saves JNI the memory that GetStringUTFChars would have to find and give back */
static uint64_t hash_string(JNIEnv *env, uint64_t hash, jstring string) {
    char bytes[STRING_BYTES];
    jsize length = (*env)->GetStringUTFLength(env, string);
    /* the JVM may write a zero behind it */
    if (length < STRING_BYTES) {
        (*env)->GetStringUTFRegion(env, string, 0, (*env)->GetStringLength(env, string), bytes);
        return hash_bytes(hash, bytes, (size_t)length);
    }
    const char *copy = (*env)->GetStringUTFChars(env, string, NULL);
    if (copy == NULL) return hash; /* the exception is pending */
    hash = hash_bytes(hash, copy, (size_t)length);
    (*env)->ReleaseStringUTFChars(env, string, copy);
    return hash;
}

static uint64_t hash_strings(JNIEnv *env, uint64_t hash, jobjectArray strings) {
    jsize count = (*env)->GetArrayLength(env, strings);
    hash = hash_word(hash, (uint64_t)count);
    for (jsize i = 0; i < count; i++) {
        jstring string = (*env)->GetObjectArrayElement(env, strings, i);
        hash = hash_string(env, hash, string);
        /* there is room for few references, and an array may be long */
        (*env)->DeleteLocalRef(env, string);
    }
    return hash;
}

static uint64_t hash_int_array(JNIEnv *env, uint64_t hash, jintArray array) {
    jint part[INTS];
    jsize count = (*env)->GetArrayLength(env, array);
    hash = hash_word(hash, (uint64_t)count);
    for (jsize i = 0; i < count; i += INTS) {
        jsize length = count - i < INTS ? count - i : INTS;
        (*env)->GetIntArrayRegion(env, array, i, length, part);
        hash = hash_ints(hash, part, (size_t)length);
    }
    return hash;
}

JNIEXPORT jlong JNICALL Java_io_offhook_research_messages_MessageNatives_hash(JNIEnv *env, jclass type, jobject message) {
    (void)type;
    uint64_t hash = hash_string(env, HASH_START, (*env)->GetObjectField(env, message, fields.text));
    hash = hash_word(hash, (uint32_t)(*env)->GetIntField(env, message, fields.number));
    hash = hash_double(hash, (*env)->GetDoubleField(env, message, fields.ratio));
    hash = hash_word(hash, (*env)->GetBooleanField(env, message, fields.flag));
    hash = hash_strings(env, hash, (*env)->GetObjectField(env, message, fields.names));
    return (jlong)hash_int_array(env, hash, (*env)->GetObjectField(env, message, fields.numbers));
}
