import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.queryparser.classic.MultiFieldQueryParser;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;

/**
 * Measures Lucene in turns with others: answers each line read with one line. What a word after the first one holds is
 * text in UTF-8, its bytes in hexadecimal.
 *
 * query TEXT              one more query: ok
 * log NAME VALUE...       one more log: ok
 * parse                   the milliseconds that parsing the queries takes, each on one field
 * search                  the milliseconds that parsing them over the default fields and counting their logs takes
 */
public final class Timing {
  private static final String[] DEFAULTS = {
    "msg", "source", "className", "username", "stackTraces", "serviceTypes", "logLevel", "logCode"
  };
  private static final Analyzer ANALYZER = new StandardAnalyzer(CharArraySet.EMPTY_SET);

  private final List<String> queries = new ArrayList<>();
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(ANALYZER));
  private IndexSearcher searcher;

  private Timing() throws IOException {}

  public static void main(String[] args) throws IOException, ParseException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    Timing timing = new Timing();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(timing.answer(line.split(" ")));
    }
  }

  private String answer(String[] words) throws IOException, ParseException {
    switch (words[0]) {
      case "query":
        queries.add(decode(words[1]));
        return "ok";
      case "log":
        Document log = new Document();
        for (int i = 1; i < words.length; i += 2) log.add(new TextField(decode(words[i]), decode(words[i + 1]), Store.NO));
        writer.addDocument(log);
        return "ok";
      case "parse":
        return time(() -> {
          QueryParser parser = new QueryParser("msg", ANALYZER);
          for (String query : queries) parser.parse(query);
        });
      case "search":
        if (searcher == null) {
          writer.close();
          searcher = new IndexSearcher(DirectoryReader.open(directory));
        }
        return time(() -> {
          QueryParser parser = new MultiFieldQueryParser(DEFAULTS, ANALYZER);
          for (String query : queries) searcher.count(parser.parse(query));
        });
      default:
        return "unknown";
    }
  }

  private interface Work {
    void run() throws IOException, ParseException;
  }

  private static String time(Work work) throws IOException, ParseException {
    long start = System.nanoTime();
    work.run();
    return "" + (System.nanoTime() - start) / 1e6;
  }

  private static String decode(String digits) {
    byte[] bytes = new byte[digits.length() / 2];
    for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) Integer.parseInt(digits, 2 * i, 2 * i + 2, 16);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
