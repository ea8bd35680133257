package io.offhook.calls.join;

/**
 * The number of a subscriber, so far as it is the same on both sides of a network: its last nine digits, as prefixes for
 * countries and trunks come and go, or all of three to eight. Names have none: "service" is a user of every load test.
 */
final class Subscriber {
    private static final int FEWEST = 3;
    private static final int MOST = 9;

    private Subscriber() {}

    /** The digits that count; "" if the user is no number. */
    static String digits(String user) {
        StringBuilder digits = new StringBuilder(user.length());
        for (int i = 0; i < user.length(); i++) {
            char each = user.charAt(i);
            if (each >= '0' && each <= '9') {
                digits.append(each);
            } else if ("+-.() ".indexOf(each) < 0) {
                return "";
            }
        }
        int length = digits.length();
        return length < FEWEST ? "" : length > MOST ? digits.substring(length - MOST) : digits.toString();
    }
}
