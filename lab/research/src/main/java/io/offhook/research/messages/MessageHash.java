package io.offhook.research.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The hash that native code (message-hash.h) must compute, from the Java object: the reference for all techniques. */
final class MessageHash {
    private long hash = 0xcbf29ce484222325L;

    private MessageHash() {}

    static long of(Message message) {
        MessageHash hash = new MessageHash();
        hash.string(message.text);
        hash.word(Integer.toUnsignedLong(message.number));
        hash.word(Double.doubleToRawLongBits(message.ratio));
        hash.word(message.flag ? 1 : 0);
        hash.word(message.names.length);
        for (String name : message.names) {
            hash.string(name);
        }
        hash.word(message.numbers.length);
        for (int number : message.numbers) {
            hash.word(Integer.toUnsignedLong(number));
        }
        return hash.hash;
    }

    private void word(long word) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15L;
        hash ^= hash >>> 32;
    }

    private void string(String string) {
        byte[] bytes = string.getBytes(UTF_8);
        word(bytes.length);
        ByteBuffer padded = ByteBuffer.allocate((bytes.length + Long.BYTES - 1) / Long.BYTES * Long.BYTES)
                .order(ByteOrder.nativeOrder());
        padded.put(bytes).position(0);
        while (padded.hasRemaining()) {
            word(padded.getLong());
        }
    }
}
