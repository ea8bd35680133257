package io.offhook.research.messages;

/**
 * The structure that is handed over. It is no record, for its arrays are not copied. Strings have no U+0000 and nothing
 * beyond the basic plane: JNI's own UTF-8 writes these in another way than all others do.
 */
final class Message {
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
