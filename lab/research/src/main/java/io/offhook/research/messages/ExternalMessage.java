package io.offhook.research.messages;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;

/** A {@link Message} that writes and reads its fields itself. Public, as serialization creates it. */
public final class ExternalMessage implements Externalizable {
    private static final long serialVersionUID = 1;

    private static final Message NONE = new Message("", 0, 0, false, new String[0], new int[0]);

    // serialization knows only what is written below
    private transient Message message;

    /** For serialization, which fills it in. */
    public ExternalMessage() {
        message = NONE;
    }

    ExternalMessage(Message message) {
        this.message = message;
    }

    Message message() {
        return message;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
        out.writeUTF(message.text);
        out.writeInt(message.number);
        out.writeDouble(message.ratio);
        out.writeBoolean(message.flag);
        out.writeInt(message.names.length);
        for (String name : message.names) {
            out.writeUTF(name);
        }
        out.writeInt(message.numbers.length);
        for (int number : message.numbers) {
            out.writeInt(number);
        }
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
        String text = in.readUTF();
        int number = in.readInt();
        double ratio = in.readDouble();
        boolean flag = in.readBoolean();
        String[] names = new String[in.readInt()];
        for (int i = 0; i < names.length; i++) {
            names[i] = in.readUTF();
        }
        int[] numbers = new int[in.readInt()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = in.readInt();
        }
        message = new Message(text, number, ratio, flag, names, numbers);
    }
}
