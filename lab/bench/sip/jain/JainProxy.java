import gov.nist.core.StackLogger;
import java.util.Properties;
import javax.sip.ClientTransaction;
import javax.sip.DialogTerminatedEvent;
import javax.sip.IOExceptionEvent;
import javax.sip.ListeningPoint;
import javax.sip.RequestEvent;
import javax.sip.ResponseEvent;
import javax.sip.ServerTransaction;
import javax.sip.SipFactory;
import javax.sip.SipListener;
import javax.sip.SipProvider;
import javax.sip.SipStack;
import javax.sip.TimeoutEvent;
import javax.sip.TransactionTerminatedEvent;
import javax.sip.address.AddressFactory;
import javax.sip.address.SipURI;
import javax.sip.header.HeaderFactory;
import javax.sip.header.MaxForwardsHeader;
import javax.sip.header.RecordRouteHeader;
import javax.sip.header.RouteHeader;
import javax.sip.header.ViaHeader;
import javax.sip.message.MessageFactory;
import javax.sip.message.Request;
import javax.sip.message.Response;

/**
 * JAIN SIP's reference implementation as a stateful proxy, as its documentation and examples use it: a server and a
 * client transaction for each request, Record-Route, loose routing, Max-Forwards; an ACK for a 2xx goes on without state.
 * For calls that are answered: it does not fork, cancel or choose among responses. Logging is off.
 *
 * <pre>java JainProxy ADDRESS PORT THREADS</pre>
 */
public final class JainProxy implements SipListener {
    private static final int BUFFER_BYTES = 4 << 20;

    private final String address;
    private final int port;
    private final SipProvider provider;
    private final AddressFactory addresses;
    private final HeaderFactory headers;
    private final MessageFactory messages;

    private JainProxy(String address, int port, int threads) throws Exception {
        this.address = address;
        this.port = port;
        Properties properties = new Properties();
        properties.setProperty("javax.sip.STACK_NAME", "proxy");
        properties.setProperty("javax.sip.AUTOMATIC_DIALOG_SUPPORT", "off");
        properties.setProperty("gov.nist.javax.sip.THREAD_POOL_SIZE", Integer.toString(threads));
        properties.setProperty("gov.nist.javax.sip.REENTRANT_LISTENER", "true");
        properties.setProperty("gov.nist.javax.sip.RECEIVE_UDP_BUFFER_SIZE", Integer.toString(BUFFER_BYTES));
        properties.setProperty("gov.nist.javax.sip.SEND_UDP_BUFFER_SIZE", Integer.toString(BUFFER_BYTES));
        properties.setProperty("gov.nist.javax.sip.TRACE_LEVEL", "0");
        properties.setProperty("gov.nist.javax.sip.STACK_LOGGER", Silent.class.getName());
        SipFactory factory = SipFactory.getInstance();
        factory.setPathName("gov.nist");
        addresses = factory.createAddressFactory();
        headers = factory.createHeaderFactory();
        messages = factory.createMessageFactory();
        SipStack stack = factory.createSipStack(properties);
        provider = stack.createSipProvider(stack.createListeningPoint(address, port, ListeningPoint.UDP));
        provider.addSipListener(this);
    }

    public static void main(String[] args) throws Exception {
        new JainProxy(args[0], Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        Thread.currentThread().join();
    }

    @Override
    public void processRequest(RequestEvent event) {
        try {
            Request incoming = event.getRequest();
            ServerTransaction server = event.getServerTransaction();
            boolean isAck = incoming.getMethod().equals(Request.ACK);
            if (server == null && !isAck) {
                server = provider.getNewServerTransaction(incoming);
            }
            forward(incoming, server, isAck);
        } catch (Exception e) {
            System.err.println("request: " + e);
        }
    }

    private void forward(Request incoming, ServerTransaction server, boolean isAck) throws Exception {
        Request outgoing = (Request) incoming.clone();
        MaxForwardsHeader hops = (MaxForwardsHeader) outgoing.getHeader(MaxForwardsHeader.NAME);
        if (hops == null) {
            outgoing.setHeader(headers.createMaxForwardsHeader(70));
        } else if (hops.getMaxForwards() == 0) {
            if (server != null) {
                server.sendResponse(messages.createResponse(Response.TOO_MANY_HOPS, incoming));
            }
            return;
        } else {
            hops.decrementMaxForwards();
        }
        if (outgoing.getHeader(RouteHeader.NAME) instanceof RouteHeader route && isOwn(route)) {
            outgoing.removeFirst(RouteHeader.NAME);
        }
        String branch = isAck ? "z9hG4bK-" + System.nanoTime() : null;
        ViaHeader via = headers.createViaHeader(address, port, "udp", branch);
        outgoing.addFirst(via);
        if (incoming.getMethod().equals(Request.INVITE)) {
            SipURI uri = addresses.createSipURI(null, address);
            uri.setPort(port);
            uri.setLrParam();
            RecordRouteHeader recorded = headers.createRecordRouteHeader(addresses.createAddress(uri));
            outgoing.addFirst(recorded);
        }
        if (isAck) {
            provider.sendRequest(outgoing);
            return;
        }
        ClientTransaction client = provider.getNewClientTransaction(outgoing);
        client.setApplicationData(server);
        client.sendRequest();
    }

    private boolean isOwn(RouteHeader route) {
        return route.getAddress().getURI() instanceof SipURI uri
                && uri.getHost().equals(address)
                && uri.getPort() == port;
    }

    @Override
    public void processResponse(ResponseEvent event) {
        try {
            Response incoming = event.getResponse();
            if (incoming.getStatusCode() == Response.TRYING) {
                return;
            }
            Response outgoing = (Response) incoming.clone();
            outgoing.removeFirst(ViaHeader.NAME);
            ClientTransaction client = event.getClientTransaction();
            if (client != null && client.getApplicationData() instanceof ServerTransaction server) {
                server.sendResponse(outgoing);
            } else {
                provider.sendResponse(outgoing);
            }
        } catch (Exception e) {
            System.err.println("response: " + e);
        }
    }

    @Override
    public void processTimeout(TimeoutEvent event) {}

    @Override
    public void processIOException(IOExceptionEvent event) {}

    @Override
    public void processTransactionTerminated(TransactionTerminatedEvent event) {}

    @Override
    public void processDialogTerminated(DialogTerminatedEvent event) {}

    /** A log that is off. */
    public static final class Silent implements StackLogger {
        @Override
        public void logStackTrace() {}

        @Override
        public void logStackTrace(int level) {}

        @Override
        public int getLineCount() {
            return 0;
        }

        @Override
        public void logException(Throwable thrown) {}

        @Override
        public void logDebug(String message) {}

        @Override
        public void logDebug(String message, Exception thrown) {}

        @Override
        public void logTrace(String message) {}

        @Override
        public void logFatalError(String message) {}

        @Override
        public void logError(String message) {}

        @Override
        public void logError(String message, Exception thrown) {}

        @Override
        public void logWarning(String message) {}

        @Override
        public void logInfo(String message) {}

        @Override
        public boolean isLoggingEnabled() {
            return false;
        }

        @Override
        public boolean isLoggingEnabled(int level) {
            return false;
        }

        @Override
        public void disableLogging() {}

        @Override
        public void enableLogging() {}

        @Override
        public void setBuildTimeStamp(String time) {}

        @Override
        public void setStackProperties(Properties properties) {}

        @Override
        public String getLoggerName() {
            return "silent";
        }
    }
}
