package io.offhook.packet;

/**
 * The description of a protocol whose header has a view. The fields at fixed offsets are reported from the layout, as
 * far as they were captured; the others through the view, if the header is complete and valid.
 *
 * @param <V> the view of the header
 */
public abstract class ViewProtocol<V extends View> extends Protocol {
    /** The view that the methods of this description wrap. */
    protected final V view;

    private final Claims claims;

    /**
     * Creates a description.
     *
     * @param label the name of its layer in JSON: "udp"
     * @param title its name in tables: "UDP"
     * @param view for this description alone
     * @param layout the fields at fixed offsets of its header
     */
    protected ViewProtocol(String label, String title, V view, HeaderLayout layout) {
        super(label, title, layout);
        this.view = view;
        claims = Claims.NONE;
    }

    /** Creates a description whose title is its label in capitals. */
    protected ViewProtocol(String label, V view, HeaderLayout layout) {
        this(label, view, layout, Claims.NONE);
    }

    /** Creates a description of what these numbers lead to. */
    protected ViewProtocol(String label, V view, HeaderLayout layout, Claims claims) {
        super(label, layout);
        this.view = view;
        this.claims = claims;
    }

    @Override
    public Claims claims() {
        return claims;
    }

    /** Whether the view can be wrapped around the bytes. */
    @Override
    public boolean accepts(Layer layer) {
        return layer.wrap(view);
    }

    @Override
    public void fields(Layer layer, FieldVisitor to) {
        super.fields(layer, to);
        if (layer.wrapHeader(view)) {
            variableFields(layer, to);
        }
    }

    /** Reports the fields at no fixed offset; the view is on the header. */
    protected void variableFields(Layer layer, FieldVisitor to) {}
}
