package io.offhook.research.messages;

import java.io.Serializable;

/**
 * The structure to hand over. It is not a record, because its arrays are not copied. Strings contain neither U+0000 nor
 * characters beyond the basic plane, which JNI's modified UTF-8 encodes differently.
 */
final class Message implements Serializable {
    private static final long serialVersionUID = 1;

    final String text;
    final int number;
    final double ratio;
    final boolean flag;
    final String[] names;
    final int[] numbers;

    Message(String text, int number, double ratio, boolean flag, String[] names, int[] numbers) {
        this.text = text;
        this.number = number;
        this.ratio = ratio;
        this.flag = flag;
        this.names = names;
        this.numbers = numbers;
    }
}
