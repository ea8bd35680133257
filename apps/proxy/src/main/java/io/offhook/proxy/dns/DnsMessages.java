package io.offhook.proxy.dns;

import io.offhook.packet.IpAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NAPTRRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Queries and replies as bytes. The only class that uses dnsjava, and of it the codec and the system's list of servers:
 * sockets, retries and memory are {@link DnsExchange} and {@link DnsClient}, where each has a limit and a counter.
 */
final class DnsMessages {
    /** What an answer over UDP may have, so that it is not fragmented (DNS flag day 2020). */
    static final int UDP_PAYLOAD = 1232;

    static final int MAX_ALIASES = 8;
    static final int MAX_RECORDS = 64;

    private static final int HEADER = 12;
    private static final int RESPONSE_BIT = 0x80;
    private static final String QUIET = "slf4j.internal.verbosity";

    static {
        // dnsjava's logging API reports on standard error that there is no logging framework, which is so on purpose
        if (System.getProperty(QUIET) == null) {
            System.setProperty(QUIET, "ERROR");
        }
    }

    private final DnsCounts counts;

    DnsMessages(DnsCounts counts) {
        this.counts = counts;
    }

    /** The servers that this system is configured with: resolv.conf, or what takes its place. */
    static List<InetSocketAddress> systemServers() {
        List<InetSocketAddress> servers = ResolverConfig.getCurrentConfig().servers();
        return servers == null ? List.of() : List.copyOf(servers);
    }

    /** A query, with the wish for recursion. */
    byte[] query(DnsQuestion question, int id, boolean hasEdns) throws IOException {
        Message query = new Message(id);
        query.getHeader().setFlag(Flags.RD);
        query.addRecord(
                Record.newRecord(
                        Name.fromString(question.name(), Name.root),
                        question.type().code(),
                        DClass.IN),
                Section.QUESTION);
        if (hasEdns) {
            query.addRecord(new OPTRecord(UDP_PAYLOAD, 0, 0), Section.ADDITIONAL);
        }
        return query.toWire();
    }

    /** Reads what came from a server that was asked. Any bytes have a reply. */
    DnsReply read(byte[] octets, DnsQuestion question, int id) {
        if (octets.length < HEADER
                || (octets[2] & RESPONSE_BIT) == 0
                || ((octets[0] & 0xff) << 8 | octets[1] & 0xff) != id) {
            return DnsReply.of(DnsReply.Kind.MISMATCHED);
        }
        try {
            Message message = new Message(octets);
            Record asked = message.getQuestion();
            if (asked == null
                    || asked.getType() != question.type().code()
                    || !asked.getName().equals(Name.fromString(question.name(), Name.root))) {
                // a server that cannot read EDNS may leave the question out
                return isWithoutEdns(message) && asked == null
                        ? DnsReply.of(DnsReply.Kind.NO_EDNS)
                        : DnsReply.of(DnsReply.Kind.MISMATCHED);
            }
            return read(message, asked.getName(), question.type());
        } catch (IOException | RuntimeException _) { // what it throws for bytes that are no message is not documented
            return DnsReply.of(DnsReply.Kind.MALFORMED);
        }
    }

    private static boolean isWithoutEdns(Message message) {
        int code = message.getHeader().getRcode();
        return code == Rcode.FORMERR || code == Rcode.NOTIMP || code == Rcode.BADVERS;
    }

    private DnsReply read(Message message, Name name, DnsType type) {
        if (message.getHeader().getFlag(Flags.TC)) {
            return DnsReply.of(DnsReply.Kind.TRUNCATED);
        }
        int code = message.getRcode();
        if (isWithoutEdns(message)) {
            return DnsReply.of(DnsReply.Kind.NO_EDNS);
        }
        if (code != Rcode.NOERROR && code != Rcode.NXDOMAIN) {
            return DnsReply.of(DnsReply.Kind.SERVER_ERROR);
        }
        List<Record> records = message.getSection(Section.ANSWER);
        Set<Name> seen = new HashSet<>();
        Name at = name;
        long ttl = Long.MAX_VALUE;
        while (seen.add(at) && seen.size() <= MAX_ALIASES + 1) {
            List<Record> found = owned(records, at, type);
            if (!found.isEmpty()) {
                return DnsReply.of(found(found, ttl));
            }
            Record alias = alias(records, at);
            if (alias == null) {
                return ending(message, code, name, at, ttl);
            }
            ttl = Math.min(ttl, alias.getTTL());
            at = ((CNAMERecord) alias).getTarget();
        }
        return DnsReply.of(DnsReply.Kind.ALIAS_LOOP);
    }

    /** No records at the end of the aliases: a negative answer, or a server that leaves following them to us. */
    private static DnsReply ending(Message message, int code, Name name, Name at, long ttl) {
        long negativeTtl = negativeTtl(message);
        if (code == Rcode.NXDOMAIN) {
            return DnsReply.of(new DnsAnswer(DnsAnswer.Kind.NO_NAME, List.of(), negativeTtl));
        }
        if (at.equals(name) || negativeTtl >= 0) {
            return DnsReply.of(new DnsAnswer(DnsAnswer.Kind.NO_DATA, List.of(), negativeTtl));
        }
        return DnsReply.alias(text(at), ttl);
    }

    /** RFC 2308, 5: the smaller of the SOA record's TTL and its field; -1 if there is none. */
    private static long negativeTtl(Message message) {
        for (Record record : message.getSection(Section.AUTHORITY)) {
            if (record instanceof SOARecord soa) {
                return Math.min(soa.getTTL(), soa.getMinimum());
            }
        }
        return -1;
    }

    private static List<Record> owned(List<Record> records, Name owner, DnsType type) {
        List<Record> found = new ArrayList<>();
        for (Record record : records) {
            if (record.getType() == type.code()
                    && record.getDClass() == DClass.IN
                    && record.getName().equals(owner)) {
                found.add(record);
            }
        }
        return found;
    }

    private static @Nullable Record alias(List<Record> records, Name owner) {
        for (Record record : records) {
            if (record.getType() == Type.CNAME
                    && record.getDClass() == DClass.IN
                    && record.getName().equals(owner)) {
                return record;
            }
        }
        return null;
    }

    private DnsAnswer found(List<Record> records, long aliasTtl) {
        long ttl = aliasTtl;
        List<DnsRecord> read = new ArrayList<>(records.size());
        for (Record record : records) {
            ttl = Math.min(ttl, record.getTTL());
            DnsRecord data = data(record);
            if (data != null) {
                read.add(data);
            }
        }
        read.sort(BY_PREFERENCE); // before any is left out; stable, as the order of addresses is the server's
        if (read.size() > MAX_RECORDS) {
            counts.add(DnsCounter.RECORDS_DROPPED, read.size() - (long) MAX_RECORDS);
            read = read.subList(0, MAX_RECORDS);
        }
        return read.isEmpty()
                ? new DnsAnswer(DnsAnswer.Kind.NO_DATA, List.of(), ttl)
                : new DnsAnswer(DnsAnswer.Kind.FOUND, read, ttl);
    }

    private static final Comparator<DnsRecord> BY_PREFERENCE = Comparator.comparingLong(record -> switch (record) {
        case DnsRecord.Address _ -> 0;
        case DnsRecord.Service service -> service.priority();
        case DnsRecord.Pointer pointer -> (long) pointer.order() << 16 | pointer.preference();
    });

    private static @Nullable DnsRecord data(Record record) {
        return switch (record) {
            case ARecord a -> new DnsRecord.Address(IpAddress.of(a.getAddress()));
            case AAAARecord aaaa -> new DnsRecord.Address(IpAddress.of(aaaa.getAddress()));
            case SRVRecord srv ->
                new DnsRecord.Service(srv.getPriority(), srv.getWeight(), srv.getPort(), text(srv.getTarget()));
            case NAPTRRecord naptr ->
                new DnsRecord.Pointer(
                        naptr.getOrder(),
                        naptr.getPreference(),
                        naptr.getFlags(),
                        naptr.getService(),
                        unescaped(naptr.getRegexp()),
                        text(naptr.getReplacement()));
            default -> null;
        };
    }

    /** A string of a record as it was sent: dnsjava gives it as a master file has it (RFC 1035, 5.1). */
    private static String unescaped(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 3 < text.length() && Character.isDigit(text.charAt(i + 1))) {
                plain.append((char) Integer.parseInt(text.substring(i + 1, i + 4)));
                i += 3;
            } else if (c == '\\' && i + 1 < text.length()) {
                plain.append(text.charAt(++i));
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    private static String text(Name name) {
        return name.labels() == 0 || name.equals(Name.root) ? "." : name.toString(true);
    }
}
