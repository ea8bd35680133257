package io.offhook.flow;

/**
 * Is told of flows that ended. Called by {@link FlowTable} on its thread, from within {@link FlowTable#add} and {@link
 * FlowTable#flush}; it must not call either from there.
 */
@FunctionalInterface
public interface FlowHandler {

    /** Why a flow has no more packets. */
    enum End {
        /** No packet of it came for the idle timeout. */
        IDLE(FlowCounter.IDLE),
        /** It lasted for the hard timeout; what still comes of it is another flow. */
        HARD_TIMEOUT(FlowCounter.HARD_TIMEOUT),
        /** Its ports began another TCP connection. */
        REUSED(FlowCounter.REUSED),
        /** It gave way to others, as the table was full. */
        EVICTED(FlowCounter.EVICTED),
        /** The capture ended. */
        CAPTURE_END(FlowCounter.CAPTURE_END);

        private final FlowCounter counter;

        End(FlowCounter counter) {
            this.counter = counter;
        }

        FlowCounter counter() {
            return counter;
        }
    }

    /**
     * A flow has ended; called once for each.
     *
     * @param flow is not changed any more; the handler may keep it
     */
    void end(Flow flow, End reason);
}
