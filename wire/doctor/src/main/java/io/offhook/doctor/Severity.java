package io.offhook.doctor;

/** The severity of a finding, the worst first. */
public enum Severity {
    /** A counter of lost packets grew between the two looks. */
    LOSING("is losing packets"),
    /** A setting loses packets under load, or has lost packets before. */
    WOULD_LOSE("would lose packets"),
    /** Packets were lost since the counter began, and no setting explains it. */
    HAS_LOST("has lost packets"),
    /** A better setting exists, but the current one alone loses nothing. */
    ADVICE("advice"),
    /** Examined, and no action is needed. */
    FINE("fine");

    private final String words;

    Severity(String words) {
        this.words = words;
    }

    /** The severity as words for a heading: {@code would lose packets}. */
    public String words() {
        return words;
    }

    /** Whether something must change: {@link #LOSING} or {@link #WOULD_LOSE}. */
    public boolean mustChange() {
        return this == LOSING || this == WOULD_LOSE;
    }
}
