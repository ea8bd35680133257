package io.offhook.proxy.policy;

import io.offhook.sip.SipHop;
import io.offhook.sip.proxy.ForkTarget;
import io.offhook.sip.registrar.Binding;
import io.offhook.sip.registrar.RegisteredTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The phones of a user as targets: those with the same q at once, the others after them (RFC 3261, 16.6). */
final class LocalTargets {
    private LocalTargets() {}

    static List<List<ForkTarget>> of(List<RegisteredTarget> registered) {
        List<List<ForkTarget>> sets = new ArrayList<>();
        int q = -1;
        for (RegisteredTarget target : registered) {
            if (sets.isEmpty() || target.q() != q) {
                sets.add(new ArrayList<>());
                q = target.q();
            }
            sets.getLast().add(target(target.binding()));
            // further flows of the same phone are tried when none of the set was reached (RFC 5626, 7)
            for (Binding other : target.others()) {
                sets.add(List.of(target(other)));
            }
        }
        return sets;
    }

    private static ForkTarget target(Binding binding) {
        String path = binding.path();
        if (!path.isEmpty()) {
            return new ForkTarget(binding.contact(), uris(path), null, "");
        }
        byte[] token = binding.flowToken();
        SipHop hop = token.length == 0 ? null : HopToken.read(token);
        return new ForkTarget(binding.contact(), List.of(), hop, "");
    }

    /** The URIs of a Path, without brackets. */
    private static List<String> uris(String path) {
        return Arrays.stream(path.split(",", -1))
                .map(String::strip)
                .map(value -> value.startsWith("<") && value.indexOf('>') > 0
                        ? value.substring(1, value.indexOf('>'))
                        : value)
                .filter(uri -> !uri.isEmpty())
                .toList();
    }
}
