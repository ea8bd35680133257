package io.offhook.proxy.dns;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** The order in which the targets of SRV records are tried (RFC 2782, "Usage rules"). */
final class ServiceOrder {
    private ServiceOrder() {}

    /**
     * Sorts by priority, and within one by weight: the chance to be next is the share of the weights that are left. Those
     * of weight 0 come first in the running sum, and so have a small chance beside others.
     *
     * @param random gives a number from 0 to its argument - 1
     */
    static List<DnsRecord.Service> of(List<DnsRecord> records, IntUnaryOperator random) {
        List<DnsRecord.Service> left = new ArrayList<>();
        for (DnsRecord record : records) {
            if (record instanceof DnsRecord.Service service) {
                left.add(service);
            }
        }
        left.sort(Comparator.comparingInt(DnsRecord.Service::priority).thenComparingInt(s -> s.weight() == 0 ? 0 : 1));
        List<DnsRecord.Service> ordered = new ArrayList<>(left.size());
        while (!left.isEmpty()) {
            int priority = left.getFirst().priority();
            int peers = 0;
            int sum = 0;
            while (peers < left.size() && left.get(peers).priority() == priority) {
                sum += left.get(peers++).weight();
            }
            int drawn = random.applyAsInt(sum + 1);
            int at = 0;
            int running = left.getFirst().weight();
            while (running < drawn && at < peers - 1) {
                running += left.get(++at).weight();
            }
            ordered.add(left.remove(at));
        }
        return ordered;
    }
}
