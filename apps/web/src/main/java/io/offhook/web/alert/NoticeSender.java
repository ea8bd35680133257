package io.offhook.web.alert;

import java.io.IOException;

/** Sends notices to one target; called by one thread at a time. */
interface NoticeSender {
    /**
     * Sends a notice, within its time limit.
     *
     * @throws RefusedException if it need not be tried again
     * @throws IOException if it did not arrive
     */
    void send(Notice notice) throws IOException, InterruptedException;

    /** Makes what sends to a target. */
    static NoticeSender of(TargetConfig target) {
        return switch (target) {
            case TargetConfig.Webhook webhook -> new WebhookSender(webhook);
            case TargetConfig.Command command -> new CommandSender(command);
            case TargetConfig.Mail mail -> new MailSender(mail);
        };
    }

    /** The target does not want it, and never will. */
    final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }
}
