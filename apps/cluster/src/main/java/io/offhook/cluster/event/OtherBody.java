package io.offhook.cluster.event;

/**
 * A body that this release has no record of: it is passed on as it is.
 *
 * @param number of its field in the event, 10 to 99
 * @param content encoded
 */
public record OtherBody(int number, Octets content) implements EventBody {
    /** Numbers of fields that are bodies: this and higher. */
    public static final int LEAST = 10;

    /** Numbers of fields that are bodies: this and lower. */
    public static final int MOST = 99;

    /** Checks the number. */
    public OtherBody {
        Limits.range("number", number, LEAST, MOST);
    }

    /** None: all of it is unknown. */
    @Override
    public Octets unknown() {
        return Octets.EMPTY;
    }
}
