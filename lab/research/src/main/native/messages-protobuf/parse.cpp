// The far side of a message in protobuf's format: the library's own parser, and the object that it fills.
#include "../message-hash.h"
#include "message.pb.h"

#include <jni.h>

namespace {

uint64_t hash_string(uint64_t hash, const std::string &string) { return hash_bytes(hash, string.data(), string.size()); }

uint64_t hash_message(const offhook::research::Message &message) {
    uint64_t hash = hash_string(HASH_START, message.text());
    hash = hash_word(hash, static_cast<uint32_t>(message.number()));
    hash = hash_double(hash, message.ratio());
    hash = hash_word(hash, message.flag());
    hash = hash_word(hash, static_cast<uint64_t>(message.names_size()));
    for (const std::string &name : message.names()) hash = hash_string(hash, name);
    hash = hash_word(hash, static_cast<uint64_t>(message.numbers_size()));
    return hash_ints(hash, message.numbers().data(), static_cast<size_t>(message.numbers_size()));
}

}  // namespace

// 0 for what cannot be parsed. One object a thread, as protobuf advises: it keeps the memory of its strings and arrays
extern "C" int64_t offhook_message_protobuf(const void *bytes, int32_t length) {
    thread_local offhook::research::Message message;
    return message.ParseFromArray(bytes, length) ? static_cast<int64_t>(hash_message(message)) : 0;
}

extern "C" JNIEXPORT jlong JNICALL Java_io_offhook_research_messages_ProtobufNatives_hash(JNIEnv *env, jclass, jbyteArray array) {
    // to the stack, which is the quickest for so few bytes; many are not worth a frame of that size
    jbyte part[4096];
    jsize length = env->GetArrayLength(array);
    if (length <= static_cast<jsize>(sizeof(part))) {
        env->GetByteArrayRegion(array, 0, length, part);
        return offhook_message_protobuf(part, length);
    }
    jbyte *bytes = env->GetByteArrayElements(array, nullptr);
    if (bytes == nullptr) return 0;
    jlong hash = offhook_message_protobuf(bytes, length);
    env->ReleaseByteArrayElements(array, bytes, JNI_ABORT);
    return hash;
}
