package io.offhook.research.messages;

import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Makes protobuf's messages of ours, and writes them, each over the last one. */
final class ProtobufWriter {
    private ProtobufWriter() {}

    /** Protobuf's object of a message: what a program has to make first that keeps its data in objects of its own. */
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
     * @return how many bytes long it is
     * @throws IllegalArgumentException when the message is longer than the buffer
     */
    static int write(MessageProtos.Message message, ByteBuffer direct) {
        return write(message, CodedOutputStream.newInstance(direct.clear()));
    }

    /** As above, to an array. */
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
