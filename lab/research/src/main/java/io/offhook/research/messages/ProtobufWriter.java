package io.offhook.research.messages;

import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Converts messages to protobuf's, and writes them, each over the previous one. */
final class ProtobufWriter {
    private ProtobufWriter() {}

    /** Returns protobuf's object for a message, which a program must create first if it keeps its data in objects of its own. */
    static MessageProtos.Message build(Message message) {
        MessageProtos.Message.Builder builder = MessageProtos.Message.newBuilder()
                .setText(message.text)
                .setNumber(message.number)
                .setRatio(message.ratio)
                .setFlag(message.flag);
        for (String name : message.names) {
            builder.addNames(name);
        }
        for (int number : message.numbers) {
            builder.addNumbers(number);
        }
        return builder.build();
    }

    /**
     * Writes to the beginning of a direct buffer.
     *
     * @return its length in bytes
     * @throws IllegalArgumentException when the message is longer than the buffer
     */
    static int write(MessageProtos.Message message, ByteBuffer direct) {
        return write(message, CodedOutputStream.newInstance(direct.clear()));
    }

    /** Writes to an array. */
    static int write(MessageProtos.Message message, byte[] array) {
        return write(message, CodedOutputStream.newInstance(array));
    }

    private static int write(MessageProtos.Message message, CodedOutputStream to) {
        try {
            message.writeTo(to);
            to.flush();
            return to.getTotalBytesWritten();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "a message of " + message.getSerializedSize() + " bytes does not fit", e);
        }
    }
}
