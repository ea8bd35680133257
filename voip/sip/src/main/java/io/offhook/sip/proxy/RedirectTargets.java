package io.offhook.sip.proxy;

import io.offhook.sip.SipAddressView;
import io.offhook.sip.SipHeader;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipUri;
import io.offhook.sip.SipValueCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The contacts of a 3xx as targets (RFC 3261, 16.5): the highest q first, none that was tried before. */
final class RedirectTargets {
    private static final int MOST = 10;

    private RedirectTargets() {}

    private record Contact(String uri, double q) {}

    /**
     * The targets.
     *
     * @param requestUri the Request-URI of a branch without a target
     * @param later targets that wait
     */
    static List<ForkTarget> of(
            SipMessageView response, List<ProxyBranch> tried, String requestUri, Iterable<List<ForkTarget>> later) {
        Set<String> known = new HashSet<>();
        tried.forEach(branch -> known.add(branch.target == null ? requestUri : branch.target.uri()));
        later.forEach(set -> set.forEach(target -> known.add(target.uri())));
        SipValueCursor cursor = new SipValueCursor();
        SipAddressView address = new SipAddressView();
        List<Contact> contacts = new ArrayList<>();
        cursor.start(response, SipHeader.CONTACT);
        while (cursor.next() && contacts.size() < MOST) {
            address.wrap(response.octets(), cursor.offset(), cursor.length());
            String uri = address.uri();
            if (known.add(uri) && SipUri.parse(uri).scheme().startsWith("sip")) {
                contacts.add(new Contact(uri, q(address.parameter("q"))));
            }
        }
        return contacts.stream()
                .sorted(Comparator.comparingDouble(Contact::q).reversed())
                .map(contact -> ForkTarget.of(contact.uri()))
                .toList();
    }

    /** A qvalue; 1 if there is none or it is not one. */
    private static double q(String text) {
        boolean isNumber = !text.isEmpty()
                && text.length() <= 5
                && text.chars().allMatch(c -> c == '.' || c >= '0' && c <= '9')
                && text.chars().filter(c -> c == '.').count() <= 1
                && !text.equals(".");
        return isNumber ? Math.min(Double.parseDouble(text), 1) : 1;
    }
}
