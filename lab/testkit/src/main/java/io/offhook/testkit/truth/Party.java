package io.offhook.testkit.truth;

/** One of the two ends of a call. */
public enum Party {
    CALLER("caller"),
    CALLEE("callee");

    private final String label;

    Party(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    public Party other() {
        return this == CALLER ? CALLEE : CALLER;
    }
}
