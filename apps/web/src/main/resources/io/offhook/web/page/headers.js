// What SIP and SDP lines mean, in one sentence each, with the place where it is defined. Names are
// in lower case, compact forms resolved.

const SIP = 'RFC 3261';

/** Compact forms of header names (RFC 3261, 7.3.3). */
const COMPACT = {
  a: 'accept-contact', b: 'referred-by', c: 'content-type', d: 'request-disposition', e: 'content-encoding', f: 'from',
  i: 'call-id', j: 'reject-contact', k: 'supported', l: 'content-length', m: 'contact', n: 'identity-info', o: 'event',
  r: 'refer-to', s: 'subject', t: 'to', u: 'allow-events', v: 'via', x: 'session-expires', y: 'identity',
};

const HEADERS = {
  via: ['A hop that the request took: responses go back along the Vias, the topmost first.', `${SIP}, 20.42`],
  from: ['Who the request is from, as the caller states it; the tag is the caller’s half of the dialog.', `${SIP}, 20.20`],
  to: ['Who the request is for; the tag, once there is one, is the callee’s half of the dialog.', `${SIP}, 20.39`],
  'call-id': ['Names the call, or the registrations of one client; with both tags it names the dialog.', `${SIP}, 20.8`],
  cseq: ['Numbers the requests of a dialog, so that order and retransmissions can be recognised.', `${SIP}, 20.16`],
  contact: ['Where this side wants to be reached directly from now on.', `${SIP}, 20.10`],
  'max-forwards': ['How many hops are left; at 0 the request is refused with 483.', `${SIP}, 20.22`],
  route: ['Proxies that the request has yet to pass, in this order.', `${SIP}, 20.34`],
  'record-route': ['A proxy that wants to stay on the path of the dialog.', `${SIP}, 20.30`],
  'content-type': ['What the body is.', `${SIP}, 20.15`],
  'content-length': ['Bytes of the body; in TCP it is the only thing that says where the message ends.', `${SIP}, 20.14`],
  'content-disposition': ['What the body is for.', `${SIP}, 20.11`],
  'content-encoding': ['How the body is coded on top of its type, such as gzip.', `${SIP}, 20.12`],
  'user-agent': ['The sender’s software, as it states it.', `${SIP}, 20.41`],
  server: ['The software that answers, as it states it.', `${SIP}, 20.35`],
  allow: ['Methods that this side understands.', `${SIP}, 20.5`],
  'allow-events': ['Event packages that this side understands.', 'RFC 6665, 8.2.2'],
  accept: ['Types of bodies that this side understands.', `${SIP}, 20.1`],
  'accept-language': ['Languages that the sender prefers.', `${SIP}, 20.3`],
  supported: ['Extensions that this side can use.', `${SIP}, 20.37`],
  require: ['Extensions that the other side must understand, or refuse with 420.', `${SIP}, 20.32`],
  'proxy-require': ['Extensions that proxies must understand.', `${SIP}, 20.29`],
  unsupported: ['Extensions that were required and are not understood.', `${SIP}, 20.40`],
  authorization: ['The client’s proof of its password, for the server that asked by 401.', `${SIP}, 20.7`],
  'proxy-authorization': ['The client’s proof of its password, for the proxy that asked by 407.', `${SIP}, 20.28`],
  'www-authenticate': ['The server’s challenge: the request is to be sent again with credentials.', `${SIP}, 20.44`],
  'proxy-authenticate': ['The proxy’s challenge: the request is to be sent again with credentials.', `${SIP}, 20.27`],
  'authentication-info': ['The server’s own proof, and the nonce to use next.', `${SIP}, 20.6`],
  expires: ['Seconds for which the registration, subscription or INVITE holds.', `${SIP}, 20.19`],
  'min-expires': ['The shortest time that the registrar accepts.', `${SIP}, 20.23`],
  'session-expires': ['Seconds after which the session ends unless it is refreshed.', 'RFC 4028, 4'],
  'min-se': ['The shortest session interval that is accepted.', 'RFC 4028, 5'],
  rseq: ['Numbers a reliable provisional response, to which PRACK refers.', 'RFC 3262, 7.1'],
  rack: ['The provisional response that this PRACK acknowledges.', 'RFC 3262, 7.2'],
  reason: ['Why the request was sent or the call ended: a Q.850 cause or a SIP status.', 'RFC 3326'],
  'retry-after': ['Seconds after which to try again.', `${SIP}, 20.33`],
  warning: ['More about the status, such as incompatible media (3xx codes).', `${SIP}, 20.43`],
  'p-asserted-identity': ['The caller’s identity, as a trusted network asserts it.', 'RFC 3325, 9.1'],
  'p-preferred-identity': ['The identity that the caller wants to have asserted.', 'RFC 3325, 9.2'],
  'remote-party-id': ['The caller’s identity and its privacy, before RFC 3325.', 'draft-ietf-sip-privacy'],
  privacy: ['What of the identity the network must hide.', 'RFC 3323, 4.2'],
  diversion: ['Who diverted the call, and why.', 'RFC 5806'],
  'history-info': ['Whom the request was for before it was retargeted.', 'RFC 7044'],
  'p-charging-vector': ['The correlation id of this call’s charging, and the networks that it crossed.', 'RFC 7315, 4.6'],
  'p-access-network-info': ['The access network of the phone.', 'RFC 7315, 4.4'],
  'p-called-party-id': ['The identity that was called, before it was replaced by a Contact.', 'RFC 7315, 4.2'],
  'p-early-media': ['Whether early media may flow, and which way.', 'RFC 5009'],
  path: ['Proxies through which requests to this registration must pass.', 'RFC 3327'],
  'service-route': ['Proxies through which the registered client must send.', 'RFC 3608'],
  'session-id': ['One id for both ends of the session, kept by B2BUAs.', 'RFC 7989'],
  'x-cid': ['The Call-ID of the leg that this one belongs to, by a PBX’s own header.', ''],
  'refer-to': ['Whom the recipient is to call: a transfer.', 'RFC 3515, 2.1'],
  'referred-by': ['Who asked for the transfer.', 'RFC 3892'],
  replaces: ['The dialog that this INVITE takes over: an attended transfer or a pickup.', 'RFC 3891'],
  event: ['The event package of a subscription.', 'RFC 6665, 8.2.1'],
  'subscription-state': ['Whether the subscription is active, pending or has ended.', 'RFC 6665, 8.2.3'],
  date: ['The sender’s clock.', `${SIP}, 20.17`],
  timestamp: ['The sender’s clock, to measure the round trip.', `${SIP}, 20.38`],
  subject: ['What the call is about.', `${SIP}, 20.36`],
  organization: ['The organization of the sender.', `${SIP}, 20.25`],
  'alert-info': ['Another ring tone.', `${SIP}, 20.4`],
  'call-info': ['More about caller or callee, such as a picture.', `${SIP}, 20.9`],
  'mime-version': ['The version of MIME.', `${SIP}, 20.24`],
  identity: ['The network’s signature over the caller’s number (STIR).', 'RFC 8224'],
  'join': ['The call that this INVITE joins.', 'RFC 3911'],
  'error-info': ['Where to learn more about the error.', `${SIP}, 20.18`],
  'sip-etag': ['Names the published state.', 'RFC 3903, 11.3.1'],
  'sip-if-match': ['The published state that is refreshed.', 'RFC 3903, 11.3.2'],
};

const PARAMETERS = {
  'via branch': ['names the transaction; begins with z9hG4bK since RFC 3261', `${SIP}, 8.1.1.7`],
  'via received': ['the address from which the request came, as the receiver saw it', `${SIP}, 18.2.1`],
  'via rport': ['the port from which it came: the response goes there, through the NAT', 'RFC 3581'],
  'via maddr': ['the address to which the response goes', `${SIP}, 18.1.1`],
  'via ttl': ['the time to live of multicast', `${SIP}, 18.1.1`],
  'via alias': ['the connection may be used for requests the other way', 'RFC 5923'],
  'from tag': ['the caller’s half of the dialog', `${SIP}, 19.3`],
  'to tag': ['the callee’s half of the dialog', `${SIP}, 19.3`],
  'contact expires': ['seconds for which this binding holds', `${SIP}, 20.10`],
  'contact q': ['preference, 0 to 1', `${SIP}, 20.10`],
  'contact +sip.instance': ['names the device', 'RFC 5626, 4.1'],
  'contact reg-id': ['names the flow of the device', 'RFC 5626, 4.2'],
  lr: ['the proxy routes loosely, as RFC 3261 demands', `${SIP}, 19.1.1`],
  transport: ['how to reach the URI', `${SIP}, 19.1.1`],
  user: ['phone: the user part is a number', `${SIP}, 19.1.1`],
  ob: ['requests come through the outbound flow', 'RFC 5626, 4.3'],
  refresher: ['who refreshes the session: uac or uas', 'RFC 4028, 4'],
  cause: ['the cause, of the protocol before it', 'RFC 3326'],
  text: ['the cause in words', 'RFC 3326'],
  realm: ['the domain whose password is asked for', 'RFC 7616, 3.3'],
  nonce: ['the server’s random value, which the proof includes', 'RFC 7616, 3.3'],
  response: ['the proof: a hash of password, nonce, method and URI', 'RFC 7616, 3.4'],
  username: ['whose password', 'RFC 7616, 3.4'],
  uri: ['the URI that the proof includes', 'RFC 7616, 3.4'],
  algorithm: ['the hash', 'RFC 7616, 3.3'],
  qop: ['what is protected: auth, or auth-int with the body', 'RFC 7616, 3.3'],
  cnonce: ['the client’s random value', 'RFC 7616, 3.4'],
  nc: ['how often the nonce was used', 'RFC 7616, 3.4'],
  stale: ['true: only the nonce is too old, the password was right', 'RFC 7616, 3.3'],
  opaque: ['handed back as it is', 'RFC 7616, 3.3'],
  'to-tag': ['the tag of the dialog that is replaced', 'RFC 3891'],
  'from-tag': ['the tag of the dialog that is replaced', 'RFC 3891'],
  'early-only': ['only if that dialog has not been answered', 'RFC 3891'],
  'icid-value': ['the correlation id', 'RFC 7315, 4.6'],
  privacy: ['whether the number may be shown', 'RFC 5806'],
  counter: ['how often it was diverted', 'RFC 5806'],
};

const METHODS = {
  INVITE: ['Begins a call, or changes a running one (re-INVITE).', `${SIP}, 13`],
  ACK: ['Confirms the final response to an INVITE.', `${SIP}, 13.2.2.4`],
  BYE: ['Ends the call.', `${SIP}, 15`],
  CANCEL: ['Gives up an INVITE that has no final response yet.', `${SIP}, 9`],
  REGISTER: ['Tells the registrar where the phone is.', `${SIP}, 10`],
  OPTIONS: ['Asks what the other side can do; often a sign of life.', `${SIP}, 11`],
  PRACK: ['Confirms a provisional response.', 'RFC 3262'],
  UPDATE: ['Changes the session without waiting for a person.', 'RFC 3311'],
  INFO: ['Carries something within the dialog, such as keys pressed.', 'RFC 6086'],
  REFER: ['Asks the other side to call someone: a transfer.', 'RFC 3515'],
  SUBSCRIBE: ['Asks for notifications.', 'RFC 6665'],
  NOTIFY: ['Reports a state or an event.', 'RFC 6665'],
  PUBLISH: ['Hands a state to a server.', 'RFC 3903'],
  MESSAGE: ['A text message.', 'RFC 3428'],
};

const CLASSES = ['', 'Provisional: the request is being worked on.', 'Success.', 'Redirection: to be sent elsewhere.',
  'The request failed here: another form of it or another server may do.', 'The server failed.', 'Refused everywhere: no other server will do.'];

const STATUSES = {
  100: 'The next hop has the request: it need not be sent again.', 180: 'The callee’s phone rings.', 181: 'The call is being forwarded.',
  182: 'The call is queued.', 183: 'Progress; with SDP it brings early media.', 200: 'Success.', 202: 'Accepted; the result follows.',
  301: 'Moved for good: see Contact.', 302: 'Moved for now: see Contact.', 400: 'The request cannot be understood.', 401: 'Credentials are asked for.',
  403: 'Forbidden: no use in sending it again.', 404: 'The user does not exist.', 405: 'The method is not allowed.', 407: 'The proxy asks for credentials.',
  408: 'No answer in time.', 410: 'The user is gone.', 415: 'The body’s type is not understood.', 420: 'A required extension is not understood.',
  422: 'The session interval is too short: see Min-SE.', 423: 'The registration is too short: see Min-Expires.', 480: 'The callee is not available now.',
  481: 'The dialog or transaction is not known (any more).', 482: 'The request came back: a loop.', 483: 'Too many hops.', 484: 'The number is incomplete.',
  486: 'Busy.', 487: 'The INVITE was given up by CANCEL or BYE.', 488: 'The offered media are not acceptable.', 491: 'Both sides changed the session at once.',
  500: 'Internal error of the server.', 501: 'The method is not implemented.', 502: 'The next server answered badly.', 503: 'Overloaded or in maintenance.',
  504: 'The next server did not answer in time.', 600: 'Busy everywhere.', 603: 'Declined.', 604: 'Does not exist anywhere.', 606: 'The media are not acceptable anywhere.',
  607: 'The callee does not want such calls.', 608: 'An intermediary rejected the call.',
};

const SDP = 'RFC 8866';
const LINES = {
  v: ['Version of SDP.', `${SDP}, 5.1`], o: ['Origin: user, session id, version (rises with every change), address.', `${SDP}, 5.2`],
  s: ['Name of the session.', `${SDP}, 5.3`], i: ['Title.', `${SDP}, 5.4`], c: ['The address at which this side wants to receive media.', `${SDP}, 5.7`],
  b: ['Bandwidth.', `${SDP}, 5.8`], t: ['When the session is; 0 0: now, without an end.', `${SDP}, 5.9`],
  m: ['A medium: kind, port to receive it (0: refused), protocol, payload types in the order of preference.', `${SDP}, 5.14`],
};
const ATTRIBUTES = {
  rtpmap: ['What a payload type means: codec, clock rate, channels.', `${SDP}, 6.6`], fmtp: ['Parameters of the codec of a payload type.', `${SDP}, 6.15`],
  ptime: ['Milliseconds of audio in a packet.', `${SDP}, 6.4`], maxptime: ['The most milliseconds in a packet.', `${SDP}, 6.5`],
  sendrecv: ['Media both ways.', `${SDP}, 6.7`], sendonly: ['This side sends only: it puts the other one on hold.', `${SDP}, 6.7`],
  recvonly: ['This side receives only.', `${SDP}, 6.7`], inactive: ['No media either way.', `${SDP}, 6.7`],
  rtcp: ['The port of RTCP, if it is not the next one.', 'RFC 3605'], 'rtcp-mux': ['RTP and RTCP share one port.', 'RFC 5761'],
  'rtcp-fb': ['Feedback by RTCP that this side understands.', 'RFC 4585'], crypto: ['Keys of SRTP in clear: whoever reads this can decrypt the media.', 'RFC 4568'],
  fingerprint: ['Hash of the certificate of DTLS.', 'RFC 8122'], setup: ['Who begins DTLS or the connection.', 'RFC 4145'],
  candidate: ['An address at which ICE may reach this side.', 'RFC 8839, 5.1'], 'ice-ufrag': ['The name of ICE’s checks.', 'RFC 8839, 5.4'],
  'ice-pwd': ['The password of ICE’s checks.', 'RFC 8839, 5.4'], 'ice-options': ['What ICE supports.', 'RFC 8839, 5.6'],
  group: ['Media that belong together, such as one port for all.', 'RFC 5888'], mid: ['Name of the medium.', 'RFC 5888'],
  ssrc: ['The SSRC of the stream.', 'RFC 5576'], silenceSupp: ['Silence suppression.', 'RFC 3108'], label: ['Label of the medium.', 'RFC 4574'],
  T38FaxVersion: ['Version of T.38 fax.', 'ITU-T T.38'], extmap: ['A header extension of RTP.', 'RFC 8285'],
};

/** @typedef {{text: string, rfc: string}} Explanation */

const explanation = (entry) => (entry ? {text: entry[0], rfc: entry[1] ?? ''} : null);

/** The full name of a header in lower case. */
export const headerName = (name) => COMPACT[name.toLowerCase()] ?? name.toLowerCase();

/** What a header is; null if it is not in the table. */
export const explainHeader = (name) => explanation(HEADERS[headerName(name)]);

/** What a parameter of a header is; null if it is not in the table. */
export function explainParameter(header, name) {
  const key = name.toLowerCase();
  return explanation(PARAMETERS[`${headerName(header)} ${key}`] ?? PARAMETERS[key]);
}

/** What a request or response is, by its first line. */
export function explainStart(line) {
  const status = /^SIP\/2\.0 (\d{3})/.exec(line);
  if (status) {
    return {text: STATUSES[status[1]] ?? CLASSES[Number(status[1][0])] ?? '', rfc: `${SIP}, 21`};
  }
  return explanation(METHODS[/^[A-Z]+/.exec(line)?.[0]]);
}

/** What a line of SDP is; null if it is not in the table. */
export function explainSdp(line) {
  const attribute = /^a=([^:\s]+)/.exec(line);
  return explanation(attribute ? ATTRIBUTES[attribute[1]] : /^[a-z]=/.test(line) ? LINES[line[0]] : null);
}
