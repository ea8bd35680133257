package io.offhook.cluster.operator;

/** What operators count. */
public enum OperatorCount {
    /** Events that came when nothing as early was expected; they were used. */
    LATE_EVENTS("lateEvents"),
    /** Events that came when the state of their call was gone; they were left out. */
    TOO_LATE_EVENTS("tooLateEvents"),
    /** Messages of SIP without a Call-ID. */
    WITHOUT_CALL_ID("withoutCallId"),
    /** Figures that others measured, without a Call-ID. */
    UNASSIGNED_MEASUREMENTS("unassignedMeasurements"),
    /** Messages beyond the limit of a dialog. */
    DROPPED_MESSAGES("droppedMessages"),
    /** Calls beyond the limit of an endpoint. */
    DROPPED_NAMINGS("droppedNamings"),
    /** Streams beyond the limit of an endpoint or a call. */
    DROPPED_STREAMS("droppedStreams"),
    /** RTCP, ICMP errors and measurements beyond the limit of an endpoint or a call. */
    DROPPED_OTHERS("droppedOthers"),
    /** Figures of streams whose beginning is not known, or no longer. */
    WITHOUT_BEGINNING("withoutBeginning"),
    /** Figures with which all those of their stream would be longer than an event may be; left out. */
    OVERSIZED_FIGURES("oversizedFigures"),
    /** Streams in reports that another probe saw, too, and better. */
    COPIES("copies"),
    /** Streams in reports whose figures are those of no stream. */
    INCOMPLETE_STREAMS("incompleteStreams"),
    /** Reports that were made. */
    REPORTS("reports"),
    /** Reports that failed, and messages that could not be read for what they name, because of a bug in this library. */
    FAILED_REPORTS("failedReports");

    private final String text;

    OperatorCount(String text) {
        this.text = text;
    }

    /** Its name in output. */
    public String text() {
        return text;
    }
}
