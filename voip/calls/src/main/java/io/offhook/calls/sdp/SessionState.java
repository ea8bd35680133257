package io.offhook.calls.sdp;

import io.offhook.sip.MediaDescription;
import io.offhook.sip.SessionDescription;

/**
 * What one side's session description says of the call as a whole.
 *
 * @param audio it has audio that is not refused
 * @param sends it is to send audio, or nothing says the contrary: audio that is refused is not sent
 * @param receives likewise, to receive it
 * @param hold its audio puts the other side on hold
 * @param fax it has T.38 that is not refused
 * @param encrypted it has a line of SRTP that is not refused
 * @param keyed it has a line of RTP with keys that is not refused
 */
public record SessionState(
        boolean audio, boolean sends, boolean receives, boolean hold, boolean fax, boolean encrypted, boolean keyed) {

    public static SessionState of(SessionDescription description) {
        MediaDescription audio = description.firstMedia("audio");
        boolean isRefused = audio != null && audio.isRejected();
        boolean fax = false;
        boolean encrypted = false;
        boolean keyed = false;
        for (MediaDescription media : description.media()) {
            if (!media.isRejected()) {
                fax |= media.isT38();
                encrypted |= media.isEncrypted();
                keyed |= media.isRtp() && media.security().hasKeys();
            }
        }
        return new SessionState(
                audio != null && !isRefused,
                audio == null || !isRefused && audio.direction().sends(),
                audio == null || !isRefused && audio.direction().receives(),
                audio != null && !isRefused && audio.isHold(),
                fax,
                encrypted,
                keyed);
    }
}
