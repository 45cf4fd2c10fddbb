import java.util.Collections;
import java.util.List;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/**
 * A server of one node on loopback: java OneNode.java FOLDER HTTP_PORT TRANSPORT_PORT. It ends with its standard input,
 * so that a test run that is killed leaves none behind.
 */
public final class OneNode extends Node {
  private OneNode(Settings settings) {
    super(
        InternalSettingsPreparer.prepareEnvironment(settings, Collections.emptyMap(), null, () -> "one"),
        List.of(Netty4Plugin.class),
        false);
  }

  public static void main(String[] words) throws Exception {
    Settings settings =
        Settings.builder()
            .put("path.home", words[0])
            .put("http.port", words[1])
            .put("transport.port", words[2])
            .put("network.host", "127.0.0.1")
            .put("discovery.type", "single-node")
            .put("cluster.name", "one")
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
    new OneNode(settings).start();
    while (System.in.read() != -1) {}
    Runtime.getRuntime().halt(0);
  }
}
