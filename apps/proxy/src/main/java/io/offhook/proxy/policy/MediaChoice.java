package io.offhook.proxy.policy;

import io.offhook.proxy.media.MediaCalls;
import io.offhook.proxy.media.MediaConfig;
import io.offhook.proxy.media.MediaRelay;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.proxy.ForkTarget;
import io.offhook.sip.proxy.ResponseContext;
import org.jspecify.annotations.Nullable;

/** Which calls have their media relayed: by trunk, group and NAT, as the configuration says. */
final class MediaChoice implements MediaCalls.Choice {
    private final MediaRelay relay;
    private final PolicyServices services;
    private final SourceNat nat = new SourceNat();

    MediaChoice(MediaRelay relay, PolicyServices services) {
        this.relay = relay;
        this.services = services;
    }

    @Override
    public MediaConfig.@Nullable Profile profile(
            ResponseContext context, @Nullable ForkTarget target, SipMessageView invite) {
        MediaConfig config = relay.config();
        if (config.calls().isEmpty()) {
            return config.profile();
        }
        SipHop source = context.source();
        int listener = source.listener();
        String name = listener >= 0 && listener < services.listeners().size()
                ? services.listeners().get(listener)
                : "";
        String trunk = services.routing().trunks().find(source.address(), name);
        String group = target != null && target.fallback() instanceof GroupAttempts attempts ? attempts.group() : "";
        return config.profile(trunk, group, nat.isBehindNat(invite, source) || isBehindNat(target));
    }

    /** A phone whose registration says where it is, as its Contact does not. */
    private static boolean isBehindNat(@Nullable ForkTarget target) {
        return target != null && target.hop() != null && target.fallback() == null;
    }
}
