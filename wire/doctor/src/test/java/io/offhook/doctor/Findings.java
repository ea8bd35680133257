package io.offhook.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.doctor.Finding.Setting;
import java.util.List;
import java.util.Objects;

/** What tests look up in a report. */
final class Findings {
    private Findings() {}

    static Finding only(DoctorReport report, String id) {
        List<Finding> found =
                report.findings().stream().filter(one -> one.id().equals(id)).toList();
        assertThat(found).as(id).hasSize(1);
        return found.getFirst();
    }

    /** Of what is fine. */
    static Setting setting(DoctorReport report, String id) {
        Finding finding = only(report, id);
        assertThat(finding.severity()).as(id).isEqualTo(Severity.FINE);
        return Objects.requireNonNull(finding.setting(), id);
    }

    static List<String> commands(Finding finding) {
        return finding.remedies().stream().map(Remedy::command).toList();
    }

    static List<String> ids(DoctorReport report, Severity severity) {
        return report.findings().stream()
                .filter(one -> one.severity() == severity)
                .map(Finding::id)
                .distinct()
                .toList();
    }
}
