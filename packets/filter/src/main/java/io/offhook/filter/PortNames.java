package io.offhook.filter;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names of ports, from Debian's /etc/services. The machine's own file is not read. */
final class PortNames {
    /** A name, its port, t for TCP and u for UDP (and s for SCTP, which libpcap does not look up), and aliases. */
    private static final String TABLE = """
        tcpmux 1t, echo 7tu, discard 9tu sink null, systat 11t users, daytime 13tu, netstat 15t, qotd 17t quote,
        chargen 19tu ttytst source, ftp-data 20t, ftp 21t, fsp 21u fspd, ssh 22t, telnet 23t, smtp 25t mail,
        time 37tu timserver, whois 43t nicname, tacacs 49tu, domain 53tu, bootps 67u, bootpc 68u, tftp 69u,
        gopher 70t, finger 79t, http 80t www, kerberos 88tu kerberos5 krb5 kerberos-sec, iso-tsap 102t tsap,
        acr-nema 104t dicom, pop3 110t pop-3, sunrpc 111tu portmapper, auth 113t authentication tap ident,
        nntp 119t readnews untp, ntp 123u, epmap 135t loc-srv, netbios-ns 137u, netbios-dgm 138u, netbios-ssn 139t,
        imap2 143t imap, snmp 161tu, snmp-trap 162tu snmptrap, cmip-man 163tu, cmip-agent 164tu, mailq 174t,
        xdmcp 177u, bgp 179t, smux 199t, qmtp 209t, z3950 210t wais, ipx 213u, ptp-event 319u, ptp-general 320u,
        pawserv 345t, zserv 346t, rpc2portmap 369tu, codaauth2 370tu, clearcase 371u Clearcase, ldap 389tu,
        svrloc 427tu, https 443tu, snpp 444t, microsoft-ds 445t, kpasswd 464tu, submissions 465t ssmtp smtps urd,
        saft 487t, isakmp 500u, rtsp 554tu, nqs 607t, asf-rmcp 623u, qmqp 628t, ipp 631t, ldp 646tu, exec 512t,
        biff 512u comsat, login 513t, who 513u whod, shell 514t cmd syslog, syslog 514u, printer 515t spooler,
        talk 517u, ntalk 518u, route 520u router routed, gdomap 538tu, uucp 540t uucpd, klogin 543t,
        kshell 544t krcmd, dhcpv6-client 546u, dhcpv6-server 547u, afpovertcp 548t, nntps 563t snntp, submission 587t,
        ldaps 636tu, tinc 655tu, silc 706t, kerberos-adm 749t, domain-s 853tu, rsync 873t, ftps-data 989t, ftps 990t,
        telnets 992t, imaps 993t, pop3s 995t, socks 1080t, proofd 1093t, rootd 1094t, openvpn 1194tu,
        rmiregistry 1099t, lotusnote 1352t lotusnotes, ms-sql-s 1433t, ms-sql-m 1434u, ingreslock 1524t,
        datametrics 1645tu old-radius, sa-msg-port 1646tu old-radacct, kermit 1649t, groupwise 1677t, l2f 1701u l2tp,
        radius 1812tu, radius-acct 1813tu radacct, cisco-sccp 2000t, nfs 2049tu, gnunet 2086tu, rtcm-sc104 2101tu,
        gsigatekeeper 2119t, gris 2135t, cvspserver 2401t, venus 2430tu, venus-se 2431tu, codasrv 2432tu,
        codasrv-se 2433tu, mon 2583tu, dict 2628t, f5-globalsite 2792t, gsiftp 2811t, gpsd 2947t, gds-db 3050t gds_db,
        icpv2 3130u icp, isns 3205tu, iscsi-target 3260t, mysql 3306t, ms-wbt-server 3389t, nut 3493tu, distcc 3632t,
        daap 3689t, svn 3690t subversion, suucp 4031t, sysrqd 4094t, sieve 4190t, epmd 4369t, remctl 4373t,
        f5-iquery 4353t, ntske 4460t, ipsec-nat-t 4500u, iax 4569u, mtn 4691t, radmin-port 4899t, sip 5060tu,
        sip-tls 5061tu, xmpp-client 5222t jabber-client, xmpp-server 5269t jabber-server, cfengine 5308t, mdns 5353u,
        postgresql 5432t postgres, freeciv 5556t rptp, amqps 5671t, amqp 5672ts, x11 6000t x11-0, x11-1 6001t,
        x11-2 6002t, x11-3 6003t, x11-4 6004t, x11-5 6005t, x11-6 6006t, x11-7 6007t, gnutella-svc 6346tu,
        gnutella-rtr 6347tu, redis 6379t, sge-qmaster 6444t sge_qmaster, sge-execd 6445t sge_execd, mysql-proxy 6446t,
        babel 6696u, ircs-u 6697t, bbs 7000t, afs3-fileserver 7000u, afs3-callback 7001u, afs3-prserver 7002u,
        afs3-vlserver 7003u, afs3-kaserver 7004u, afs3-volser 7005u, afs3-bos 7007u, afs3-update 7008u,
        afs3-rmtsys 7009u, font-service 7100t xfs, http-alt 8080t webcache, puppet 8140t, bacula-dir 9101t,
        bacula-fd 9102t, bacula-sd 9103t, xmms2 9667t, nbd 10809t, zabbix-agent 10050t, zabbix-trapper 10051t,
        amanda 10080t, dicom 11112t, hkp 11371t, db-lsp 17500t, dcap 22125t, gsidcap 22128t, wnn6 22273t,
        kerberos4 750tu kerberos-iv kdc, kerberos-master 751tu, kerberos_master 751u, passwd-server 752u passwd_server,
        krb-prop 754t krb_prop krb5_prop hprop, zephyr-srv 2102u, zephyr-clt 2103u, zephyr-hm 2104u, iprop 2121t,
        supfilesrv 871t, supfiledbg 1127t, poppassd 106t, moira-db 775t moira_db, moira-update 777t moira_update,
        moira-ureg 779u moira_ureg, spamd 783t, skkserv 1178t, predict 1210u, rmtcfg 1236t, xtel 1313t, xtelw 1314t,
        zebrasrv 2600t, zebra 2601t, ripd 2602t, ripngd 2603t, ospfd 2604t, bgpd 2605t, ospf6d 2606t, ospfapi 2607t,
        isisd 2608t, fax 4557t, hylafax 4559t, munin 4949t lrrd, rplay 5555u, nrpe 5666t, nsca 5667t, canna 5680t,
        syslog-tls 6514t, sane-port 6566t sane saned, ircd 6667t, zope-ftp 8021t, tproxy 8081t, omniorb 8088t,
        clc-build-daemon 8990t, xinetd 9098t, git 9418t, zope 9673t, webmin 10000t, kamanda 10081t, amandaidx 10082t,
        amidxtape 10083t, sgi-cmsd 17001u, sgi-crsd 17002u, sgi-gcd 17003u, sgi-cad 17004t, binkp 24554t, asp 27374tu,
        csync2 30865t, dircproxy 57000t, tfido 60177t, fido 60179t,
        """;

    private static final Pattern RANGE = Pattern.compile("([+-]?[0-9]+)-([+-]?[0-9]+).*");

    private static final Map<String, Port> PORTS = ports();

    private PortNames() {}

    /** @param transport {@link Ports#TCP}, {@link Ports#UDP}, or {@link Ports#ANY} for both or unspecified */
    record Port(int number, int transport) {}

    /** The port of a name or a number; null if the text is neither. */
    static @Nullable Port find(String name) {
        if (name.matches("[0-9]{1,5}")) {
            int number = Integer.parseInt(name);
            return number > 65535 ? null : new Port(number, Ports.ANY);
        }
        return PORTS.get(name);
    }

    /**
     * The ends of {@code 5060-5090} or {@code http-https}, neither of which is 0; null if one of them is not a port.
     */
    static Port @Nullable [] findRange(String range) {
        Matcher matcher = RANGE.matcher(range);
        if (matcher.matches()) {
            return new Port[] {
                new Port(number(matcher.group(1)), Ports.ANY), new Port(number(matcher.group(2)), Ports.ANY)
            };
        }
        int dash = range.indexOf('-');
        Port first = dash < 0 ? null : findEnd(range.substring(0, dash));
        Port last = dash < 0 ? null : findEnd(range.substring(dash + 1));
        return first == null || last == null ? null : new Port[] {first, last};
    }

    private static @Nullable Port findEnd(String name) {
        return name.isEmpty() ? new Port(0, Ports.ANY) : find(name);
    }

    private static int number(String digits) {
        return digits.length() > 9 ? 1_000_000 : Integer.parseInt(digits);
    }

    /** A name listed for TCP and UDP applies to both; if the ports differ, that of TCP is used. */
    private static Map<String, Port> ports() {
        Map<String, Integer> tcp = new HashMap<>();
        Map<String, Integer> udp = new HashMap<>();
        for (String entry : TABLE.strip().split(",\\s*", -1)) {
            String[] words = entry.split(" ", -1);
            for (int i = 0; i < words.length; i++) {
                if (i != 1 && !words[i].isEmpty()) {
                    add(words[i], words[1], 't', tcp);
                    add(words[i], words[1], 'u', udp);
                }
            }
        }
        Map<String, Port> ports = new HashMap<>();
        udp.forEach((name, number) -> ports.put(name, new Port(number, Ports.UDP)));
        tcp.forEach((name, number) ->
                ports.put(name, new Port(number, number.equals(udp.get(name)) ? Ports.ANY : Ports.TCP)));
        return ports;
    }

    private static void add(String name, String port, char transport, Map<String, Integer> ports) {
        if (port.indexOf(transport) > 0) {
            ports.putIfAbsent(name, Integer.valueOf(port.replaceAll("[a-z]", "")));
        }
    }
}
