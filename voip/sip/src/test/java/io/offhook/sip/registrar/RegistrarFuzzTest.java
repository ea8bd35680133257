package io.offhook.sip.registrar;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipUri;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Fuzz targets; in ordinary runs they take the seeds in resources. */
class RegistrarFuzzTest {
    private static final Gruus GRUUS = new Gruus("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final RegistrarRules RULES = new RegistrarRules(RegistrarPolicy.DEFAULT, GRUUS);

    @FuzzTest(maxDuration = "60s")
    void register(byte[] bytes) {
        SipMessageView view = new SipMessageView();
        view.wrap(bytes, 0, bytes.length);
        RegistrationSource source = new RegistrationSource(
                Endpoint.of("192.0.2.1", 1), SipTransport.TCP, bytes.length > 9 ? new byte[9] : bytes);
        RegisterRequest request = RegisterRequest.read(view, source);
        RegisterOutcome outcome = RULES.apply(request, List.of(), 1_800_000_000_000L);
        RegistrarAnswers.assertWellFormed(outcome, request.toString());
        List<Binding> bindings = outcome.bindings();
        if (bindings != null) {
            RegistrarAnswers.assertWellFormed(RULES.apply(request, bindings, 1_800_000_000_001L), request.toString());
        }
    }

    @FuzzTest(maxDuration = "60s")
    void gruu(byte[] bytes) {
        Gruu gruu = GRUUS.read(SipUri.parse(new String(bytes, StandardCharsets.UTF_8)));
        if (gruu != null) {
            gruu.addressOfRecord().uri();
        }
    }
}
