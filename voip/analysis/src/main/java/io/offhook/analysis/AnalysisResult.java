package io.offhook.analysis;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.calls.registration.Registration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an analysis found.
 *
 * @param capture the capture as a whole
 * @param calls in the order of their first packets
 * @param streams media that belongs to no call; empty without the heuristic
 * @param registrations in the order of their first packets
 * @param defect the first exception that was contained, a bug in Offhook or in a consumer; null if there was none
 */
public record AnalysisResult(
        CaptureReport capture,
        List<CallReport> calls,
        List<StreamReport> streams,
        List<Registration> registrations,
        @Nullable RuntimeException defect) {}
