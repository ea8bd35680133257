package io.offhook.forward.stage;

/** {@code nat-destination} of a configuration: {@link NatStage}. */
public final class NatDestinationStageType extends NatStageType {
    /** For {@link java.util.ServiceLoader}. */
    public NatDestinationStageType() {
        super(true, "nat-destination", "Translates destinations of packets from outside, by `nat`; before `route`.");
    }
}
