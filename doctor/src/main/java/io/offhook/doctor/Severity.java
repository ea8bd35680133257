package io.offhook.doctor;

/** How bad a finding is; the worst first. */
public enum Severity {
    /** A counter of lost packets grew between the two looks. */
    LOSING("is losing packets"),
    /** Something is set so that packets get lost under load, or were lost for that reason before. */
    WOULD_LOSE("would lose packets"),
    /** Packets were lost since the counter began, and nothing that is set explains it. */
    HAS_LOST("has lost packets"),
    /** Better otherwise, but nothing gets lost for it alone. */
    ADVICE("advice"),
    /** Looked at, and fine. */
    FINE("fine");

    private final String words;

    Severity(String words) {
        this.words = words;
    }

    /** For a heading: {@code would lose packets}. */
    public String words() {
        return words;
    }

    /** Whether something must change: {@link #LOSING} or {@link #WOULD_LOSE}. */
    public boolean mustChange() {
        return this == LOSING || this == WOULD_LOSE;
    }
}
