package io.offhook.flow.table;

/**
 * Receives the flows that ended. {@link FlowTable} calls it on its own thread, from {@link FlowTable#add} and
 * {@link FlowTable#flush}; the handler must not call either.
 */
@FunctionalInterface
public interface FlowHandler {

    /** Why a flow ended. */
    enum End {
        /** The flow had no packet for the idle timeout. */
        IDLE(FlowCounter.IDLE),
        /** The flow lasted for the hard timeout; its further packets belong to a new flow. */
        HARD_TIMEOUT(FlowCounter.HARD_TIMEOUT),
        /** A new TCP connection reused the ports. */
        REUSED(FlowCounter.REUSED),
        /** The flow was evicted because the table was full. */
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
     * Reports that a flow has ended. Called once per flow.
     *
     * @param flow the flow, which no longer changes; the handler may keep it
     * @param reason why the flow ended
     */
    void end(Flow flow, End reason);
}
