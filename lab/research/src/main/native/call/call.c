/* The far side of CallBenchmark and NativeThreadCalls: functions that do next to nothing, so that the way to them is what is measured. */
#include <jni.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* a packed header, as a native getter would have it behind an object */
struct header {
    uint32_t captured;
    uint32_t wire;
    uint64_t timestamp;
};

void offhook_empty(void) {}

uint32_t offhook_wire(const struct header *header) { return header->wire; }

int64_t offhook_sum(const int8_t *bytes, int32_t length) {
    int64_t sum = 0;
    for (int32_t i = 0; i < length; i++) sum += bytes[i];
    return sum;
}

void offhook_call_back(void (*function)(void)) { function(); }

/* holds the calling thread for so long, as a call that is not as short as promised does */
void offhook_busy(int64_t nanoseconds) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t end = now.tv_sec * 1000000000LL + now.tv_nsec + nanoseconds;
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec * 1000000000LL + now.tv_nsec < end);
}

JNIEXPORT void JNICALL Java_io_offhook_research_call_CallNatives_empty(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
}

JNIEXPORT jint JNICALL Java_io_offhook_research_call_CallNatives_wire(JNIEnv *env, jclass type, jlong address) {
    (void)env;
    (void)type;
    return (jint)((const struct header *)(intptr_t)address)->wire;
}

/* asks the object for its address each time, and the class for the field */
JNIEXPORT jint JNICALL Java_io_offhook_research_call_NativeHeader_wireLookedUp(JNIEnv *env, jobject self) {
    jclass type = (*env)->GetObjectClass(env, self);
    jfieldID field = (*env)->GetFieldID(env, type, "address", "J");
    return (jint)((const struct header *)(intptr_t)(*env)->GetLongField(env, self, field))->wire;
}

static jfieldID address_field;

JNIEXPORT void JNICALL Java_io_offhook_research_call_NativeHeader_remember(JNIEnv *env, jclass type) {
    address_field = (*env)->GetFieldID(env, type, "address", "J");
}

/* asks the object for its address each time; the field is known */
JNIEXPORT jint JNICALL Java_io_offhook_research_call_NativeHeader_wireOfKnownField(JNIEnv *env, jobject self) {
    return (jint)((const struct header *)(intptr_t)(*env)->GetLongField(env, self, address_field))->wire;
}

JNIEXPORT jlong JNICALL Java_io_offhook_research_call_CallNatives_sumCritical(JNIEnv *env, jclass type, jbyteArray array, jint length) {
    (void)type;
    jbyte *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (bytes == NULL) return -1;
    int64_t sum = offhook_sum(bytes, length);
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, JNI_ABORT);
    return sum;
}

JNIEXPORT jlong JNICALL Java_io_offhook_research_call_CallNatives_sumElements(JNIEnv *env, jclass type, jbyteArray array, jint length) {
    (void)type;
    jbyte *bytes = (*env)->GetByteArrayElements(env, array, NULL);
    if (bytes == NULL) return -1;
    int64_t sum = offhook_sum(bytes, length);
    (*env)->ReleaseByteArrayElements(env, array, bytes, JNI_ABORT);
    return sum;
}

JNIEXPORT jlong JNICALL Java_io_offhook_research_call_CallNatives_sumRegion(JNIEnv *env, jclass type, jbyteArray array, jint length) {
    (void)type;
    jbyte bytes[2048];
    if (length > (jint)sizeof(bytes)) return -1;
    (*env)->GetByteArrayRegion(env, array, 0, length, bytes);
    return offhook_sum(bytes, length);
}

static jmethodID upcall_method;

JNIEXPORT void JNICALL Java_io_offhook_research_call_CallNatives_prepareCallBack(JNIEnv *env, jclass type) {
    upcall_method = (*env)->GetStaticMethodID(env, type, "calledBack", "()V");
}

JNIEXPORT void JNICALL Java_io_offhook_research_call_CallNatives_callBack(JNIEnv *env, jclass type) {
    (*env)->CallStaticVoidMethod(env, type, upcall_method);
}

/* busy inside of a critical section of an array */
JNIEXPORT void JNICALL Java_io_offhook_research_call_CallNatives_busyCritical(JNIEnv *env, jclass type, jbyteArray array, jlong nanoseconds) {
    (void)type;
    void *bytes = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (bytes == NULL) return;
    offhook_busy(nanoseconds);
    (*env)->ReleasePrimitiveArrayCritical(env, array, bytes, JNI_ABORT);
}

JNIEXPORT void JNICALL Java_io_offhook_research_call_CallNatives_busy(JNIEnv *env, jclass type, jlong nanoseconds) {
    (void)env;
    (void)type;
    offhook_busy(nanoseconds);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* up-calls by a thread that Java did not start */
struct calls {
    void (*function)(void);    /* by FFM; NULL by JNI */
    int attach_each;           /* by JNI: for each call, or once */
    int64_t count;
    int64_t first_ns, rest_ns; /* what the first one took, and all others together */
};

static JavaVM *machine;
static jclass called_type;

static int attach(JNIEnv **env) { return (*machine)->AttachCurrentThreadAsDaemon(machine, (void **)env, NULL) == JNI_OK; }

static void one_call(const struct calls *calls, JNIEnv **env) {
    if (calls->function != NULL) {
        calls->function();
        return;
    }
    if (*env == NULL && !attach(env)) return;
    (*(*env))->CallStaticVoidMethod(*env, called_type, upcall_method);
    if (calls->attach_each) {
        (*machine)->DetachCurrentThread(machine);
        *env = NULL;
    }
}

static void *calling(void *argument) {
    struct calls *calls = argument;
    JNIEnv *env = NULL;
    int64_t start = now();
    one_call(calls, &env);
    int64_t between = now();
    for (int64_t i = 1; i < calls->count; i++) one_call(calls, &env);
    calls->rest_ns = now() - between;
    calls->first_ns = between - start;
    if (env != NULL) (*machine)->DetachCurrentThread(machine);
    return NULL;
}

/* starts a thread, waits for its end, and says what its calls took: ns[0] the first, ns[1] the others; an errno if there is none */
static int32_t by_thread(struct calls *calls, int64_t ns[2]) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, calling, calls);
    if (error != 0) return error;
    pthread_join(thread, NULL);
    ns[0] = calls->first_ns;
    ns[1] = calls->rest_ns;
    return 0;
}

int32_t offhook_call_back_by_thread(void (*function)(void), int64_t count, int64_t ns[2]) {
    struct calls calls = {.function = function, .count = count};
    return by_thread(&calls, ns);
}

JNIEXPORT jint JNICALL Java_io_offhook_research_call_CallNatives_callBackByThread(
    JNIEnv *env, jclass type, jboolean attach_each, jlong count, jlongArray result) {
    if (machine == NULL) {
        if ((*env)->GetJavaVM(env, &machine) != JNI_OK) return -1;
        called_type = (*env)->NewGlobalRef(env, type);
    }
    struct calls calls = {.attach_each = attach_each, .count = count};
    int64_t ns[2] = {0, 0};
    int32_t error = by_thread(&calls, ns);
    jlong both[2] = {ns[0], ns[1]};
    (*env)->SetLongArrayRegion(env, result, 0, 2, both);
    return error;
}
