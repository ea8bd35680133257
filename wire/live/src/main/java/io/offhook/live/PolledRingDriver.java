package io.offhook.live;

/**
 * A {@link RingDriver} whose ring can only be polled, because nothing signals that frames have arrived: {@link #await}
 * returns at once, and the source calls {@link #hasFrames} ever more rarely instead.
 */
public interface PolledRingDriver extends RingDriver {
    @Override
    default boolean canWait() {
        return false;
    }

    @Override
    default void await(int atMostMs) {}

    @Override
    default void wakeUp() {}
}
