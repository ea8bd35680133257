package io.offhook.sip.registrar;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a REGISTER, and what is to be kept before it may be sent.
 *
 * @param finding what became of the request
 * @param headers the header lines of the answer that the registrar adds, without line ends
 * @param bindings all bindings that the address of record has from now on; null if they remain as they are
 */
public record RegisterOutcome(
        RegisterFinding finding,
        List<String> headers,
        @Nullable List<Binding> bindings) {
    /** Copies the lists. */
    public RegisterOutcome {
        headers = List.copyOf(headers);
        bindings = bindings == null ? null : List.copyOf(bindings);
    }

    static RegisterOutcome refused(RegisterFinding finding, String... headers) {
        return new RegisterOutcome(finding, List.of(headers), null);
    }
}
