"""Writes dtmf.pcap and dtls-rtcp.pcap with libsrtp (pip install pylibsrtp): python3 make-srtp.py, in this folder.

dtmf.pcap: a call with SDES whose caller presses 1 2 # by telephone-events (RFC 4733) inside SRTP.
dtls-rtcp.pcap: dtls.pcap, and a report of each side inside SRTCP, with the keys that its DTLS handshake exports (RFC 5764).
"""
import base64, hashlib, hmac, struct
from pylibsrtp import Policy, Session

T0 = 1_764_230_400


def ip_udp(source, destination, payload):
    udp = struct.pack('>HHHH', source[1], destination[1], 8 + len(payload), 0) + payload
    addresses = bytes(map(int, source[0].split('.'))) + bytes(map(int, destination[0].split('.')))
    header = struct.pack('>BBHHHBBH', 0x45, 0, 20 + len(udp), 0, 0x4000, 64, 17, 0) + addresses
    total = sum(struct.unpack('>10H', header))
    total = (total & 0xffff) + (total >> 16)
    total = ~((total & 0xffff) + (total >> 16)) & 0xffff
    return bytes.fromhex('0200000000010200000000020800') + header[:10] + struct.pack('>H', total) + header[12:] + udp


def record(seconds, micros, frame):
    return struct.pack('<IIII', seconds, micros, len(frame), len(frame)) + frame


def session(key, profile=Policy.SRTP_PROFILE_AES128_CM_SHA1_80):
    return Session(policy=Policy(key=key, ssrc_type=Policy.SSRC_ANY_OUTBOUND, srtp_profile=profile))


def dtmf():
    a, b = ('192.0.2.1', 5060), ('192.0.2.2', 5060)
    ma, mb = ('192.0.2.1', 4000), ('192.0.2.2', 5000)
    ka, kb = bytes(range(30)), bytes(range(100, 130))

    def sdp(address, port, key):
        return ('v=0\r\no=- 1 1 IN IP4 %s\r\ns=-\r\nc=IN IP4 %s\r\nt=0 0\r\nm=audio %d RTP/SAVP 0 101\r\n'
                'a=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\n'
                'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:%s\r\n'
                % (address, address, port, base64.b64encode(key).decode()))

    def sip(start, cseq, tag, body=''):
        kind = 'Content-Type: application/sdp\r\n' if body else ''
        return (start + '\r\nVia: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK%s\r\nFrom: <sip:a@192.0.2.1>;tag=a\r\n'
                'To: <sip:b@192.0.2.2>%s\r\nCall-ID: dtmf@srtp\r\nCSeq: %s\r\nContact: <sip:x@192.0.2.9>\r\n%sContent-Length: %d\r\n\r\n%s'
                % (cseq.replace(' ', ''), ';tag=b' if tag else '', cseq, kind, len(body), body)).encode()

    packets = [(0, a, b, sip('INVITE sip:b@192.0.2.2 SIP/2.0', '1 INVITE', False, sdp('192.0.2.1', 4000, ka))),
               (10_000, b, a, sip('SIP/2.0 200 OK', '1 INVITE', True, sdp('192.0.2.2', 5000, kb))),
               (20_000, a, b, sip('ACK sip:b@192.0.2.2 SIP/2.0', '1 ACK', True))]
    out = session(ka)
    back = session(kb)
    presses = {20: 1, 50: 2, 80: 11}  # number of the packet: event
    event, began = None, 0
    for i in range(120):
        at = 30_000 + 20_000 * i
        timestamp = 160 * i
        if i in presses:
            event, began = presses[i], i
        if event is not None and i - began < 8:
            step = i - began
            head = struct.pack('>BBH', event, 10 | (0x80 if step >= 5 else 0), 160 * (min(step, 5) + 1))
            rtp = struct.pack('>BBHII', 0x80, 101 | (0x80 if step == 0 else 0), 1000 + i, 160 * began, 0x1111) + head
        else:
            rtp = struct.pack('>BBHII', 0x80, 0, 1000 + i, timestamp, 0x1111) + b'\xff' * 160
        packets.append((at, ma, mb, out.protect(rtp)))
        rtp = struct.pack('>BBHII', 0x80, 0, 7000 + i, timestamp, 0x2222) + b'\xff' * 160
        packets.append((at + 5_000, mb, ma, back.protect(rtp)))
    packets.append((2_600_000, a, b, sip('BYE sip:b@192.0.2.2 SIP/2.0', '2 BYE', True)))
    packets.append((2_610_000, b, a, sip('SIP/2.0 200 OK', '2 BYE', True)))
    with open('dtmf.pcap', 'wb') as file:
        file.write(struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
        for at, source, destination, payload in packets:
            file.write(record(T0 + at // 1_000_000, at % 1_000_000, ip_udp(source, destination, payload)))


def prf(secret, label, seed, length, digest):
    seed = label + seed
    out, a = b'', seed
    while len(out) < length:
        a = hmac.new(secret, a, digest).digest()
        out += hmac.new(secret, a + seed, digest).digest()
    return out[:length]


def dtls():
    capture = open('dtls.pcap', 'rb').read()
    secrets = {}
    for line in open('dtls.keys'):
        words = line.split()
        if words and words[0] == 'CLIENT_RANDOM':
            secrets[bytes.fromhex(words[1])] = bytes.fromhex(words[2])
    at, clients, reports = 24, {}, []
    while at < len(capture):
        seconds, micros, length, _ = struct.unpack_from('<IIII', capture, at)
        frame = capture[at + 16:at + 16 + length]
        at += 16 + length
        udp = 14 + 20
        payload = frame[udp + 8:]
        if len(payload) < 60 or payload[0] != 22 or payload[1] != 0xfe or payload[3:5] != b'\0\0':
            continue
        random = payload[13 + 12 + 2:13 + 12 + 34]
        ports = struct.unpack_from('>HH', frame, udp)
        hosts = ['.'.join(map(str, frame[26:30])), '.'.join(map(str, frame[30:34]))]
        here = ((hosts[0], ports[0]), (hosts[1], ports[1]))
        if payload[13] == 1 and random in secrets:
            clients[here] = random
        elif payload[13] == 2 and here[::-1] in clients:
            ends = here[::-1]
            client = clients[ends]
            body = payload[25:]
            session_length = body[34]
            suite = struct.unpack_from('>H', body, 35 + session_length)[0]
            digest = hashlib.sha384 if suite in (0xc02c, 0xc030, 0x9d, 0x9f) else hashlib.sha256
            profile = struct.unpack_from('>H', body, body.index(b'\x00\x0e\x00\x05') + 6)[0]
            key, salt = {1: (16, 14), 2: (16, 14), 7: (16, 12), 8: (32, 12)}[profile]
            names = {1: Policy.SRTP_PROFILE_AES128_CM_SHA1_80, 2: Policy.SRTP_PROFILE_AES128_CM_SHA1_32,
                     7: Policy.SRTP_PROFILE_AEAD_AES_128_GCM, 8: Policy.SRTP_PROFILE_AEAD_AES_256_GCM}
            block = prf(secrets[client], b'EXTRACTOR-dtls_srtp', client + random, 2 * (key + salt), digest)
            ckey = block[:key] + block[2 * key:2 * key + salt]
            skey = block[key:2 * key] + block[2 * key + salt:]
            for own, source, destination in ((ckey, ends[0], ends[1]), (skey, ends[1], ends[0])):
                reports.append((own, names[profile], source, destination))
    ssrcs = {}
    at = 24
    while at < len(capture):
        _, _, length, _ = struct.unpack_from('<IIII', capture, at)
        frame = capture[at + 16:at + 16 + length]
        at += 16 + length
        payload = frame[42:]
        if len(payload) > 100 and payload[0] == 0x80 and payload[1] & 0x7f == 0:
            ssrcs[(struct.unpack_from('>HH', frame, 34))] = struct.unpack_from('>I', payload, 8)[0]
    added = b''
    for own, profile, source, destination in reports:  # the session at the ports of RTCP, each behind that of RTP
        ssrc = ssrcs.get((source[1] - 1, destination[1] - 1))
        about = ssrcs.get((destination[1] - 1, source[1] - 1))
        if ssrc is None or about is None:
            continue
        report = struct.pack('>BBHI', 0x81, 201, 7, ssrc)
        report += struct.pack('>IBBHIIII', about, 25, 0, 5, 1000, 80, 0, 0)
        name = b'test'
        chunk = struct.pack('>IBB', ssrc, 1, len(name)) + name + b'\0\0'
        report += struct.pack('>BBH', 0x81, 202, len(chunk) // 4) + chunk
        protected = session(own, profile).protect_rtcp(report)
        added += record(seconds, micros + 1000 + len(added), ip_udp(source, destination, protected))
    assert added, 'no DTLS session was found'
    with open('dtls-rtcp.pcap', 'wb') as file:
        file.write(capture + added)


dtmf()
dtls()
