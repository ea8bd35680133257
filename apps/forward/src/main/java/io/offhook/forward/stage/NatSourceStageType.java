package io.offhook.forward.stage;

/** {@code nat-source} of a configuration: {@link NatStage}. */
public final class NatSourceStageType extends NatStageType {
    /** For {@link java.util.ServiceLoader}. */
    public NatSourceStageType() {
        super(false, "nat-source", "Translates sources of packets to outside, by `nat`; after `route`.");
    }
}
