package io.offhook.doctor;

import io.offhook.doctor.Loss.Cause;
import java.util.ArrayList;
import java.util.List;

/** What rules look at, and where they leave what they find. */
final class Diagnosis {
    private final Machine machine;
    private final Sample before;
    private final Sample now;
    private final List<Loss> losses;
    private final List<Finding.Builder> findings = new ArrayList<>();

    Diagnosis(Machine machine, Sample before, Sample now, List<Loss> losses) {
        this.machine = machine;
        this.before = before;
        this.now = now;
        this.losses = losses;
    }

    Machine machine() {
        return machine;
    }

    Sample before() {
        return before;
    }

    Sample now() {
        return now;
    }

    /** A finding, which is then told more of. */
    Finding.Builder add(Severity severity, String id, String subject, String text) {
        Finding.Builder finding = new Finding.Builder(severity, id, subject, text);
        findings.add(finding);
        return finding;
    }

    /** One that nothing is to be done about; what is set may be told all the same. */
    Finding.Builder fine(String id, String subject, String text) {
        return add(Severity.FINE, id, subject, text);
    }

    /** What was lost for a cause; those that lost most first. */
    List<Loss> losses(Cause cause) {
        return losses.stream().filter(loss -> loss.cause() == cause).toList();
    }

    long total(Cause cause) {
        return losses(cause).stream().mapToLong(Loss::total).sum();
    }

    /**
     * How bad a loss is.
     *
     * @param canChange whether something is set that would lose packets again
     */
    static Severity severity(Loss loss, boolean canChange) {
        if (loss.grown() > 0) {
            return Severity.LOSING;
        }
        return canChange ? Severity.WOULD_LOSE : Severity.HAS_LOST;
    }

    /** "1,204 packets lost (drops), 17 of them just now". */
    static String told(Loss loss) {
        return Numbers.grouped(loss.total()) + " lost (" + loss.counters() + ")"
                + (loss.grown() > 0 ? ", " + Numbers.grouped(loss.grown()) + " of them just now" : "");
    }

    List<Finding> findings() {
        return findings.stream().map(Finding.Builder::build).toList();
    }
}
