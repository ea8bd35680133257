package io.offhook.doctor;

import io.offhook.doctor.Loss.Cause;
import java.util.ArrayList;
import java.util.List;

/** What rules examine, and where they add their findings. */
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

    /** Adds a finding; the rule completes it through the builder. */
    Finding.Builder add(Severity severity, String id, String subject, String text) {
        Finding.Builder finding = new Finding.Builder(severity, id, subject, text);
        findings.add(finding);
        return finding;
    }

    /** Adds a finding that needs no action; its setting may still be shown. */
    Finding.Builder fine(String id, String subject, String text) {
        return add(Severity.FINE, id, subject, text);
    }

    /** The losses of a cause, the largest first. */
    List<Loss> losses(Cause cause) {
        return losses.stream().filter(loss -> loss.cause() == cause).toList();
    }

    long total(Cause cause) {
        return losses(cause).stream().mapToLong(Loss::total).sum();
    }

    /**
     * The severity of a loss.
     *
     * @param canChange whether a setting exists that would otherwise lose packets again
     */
    static Severity severity(Loss loss, boolean canChange) {
        if (loss.grown() > 0) {
            return Severity.LOSING;
        }
        return canChange ? Severity.WOULD_LOSE : Severity.HAS_LOST;
    }

    /** For example "1,204 lost (drops), 17 of them just now". */
    static String reported(Loss loss) {
        return Numbers.grouped(loss.total()) + " lost (" + loss.counters() + ")"
                + (loss.grown() > 0 ? ", " + Numbers.grouped(loss.grown()) + " of them just now" : "");
    }

    List<Finding> findings() {
        return findings.stream().map(Finding.Builder::build).toList();
    }
}
