import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Measures Lucene for search.mjs: the file of rows, the folder of the index, the length of an interval, and the queries. Prints JSON. */
public final class Searching {
  private static final String[] COLUMNS = {
    "msg", "source", "className", "username", "stackTraces", "serviceTypes", "logLevel"
  };
  private static final Analyzer ANALYZER = new StandardAnalyzer(CharArraySet.EMPTY_SET);
  private static final List<String> END = new ArrayList<>();
  private static final int THREADS = 4;

  public static void main(String[] args) throws Exception {
    Path folder = Paths.get(args[1]);
    long start = System.nanoTime();
    index(Paths.get(args[0]), folder);
    double seconds = (System.nanoTime() - start) / 1e9;
    long bytes = 0;
    try (Directory directory = FSDirectory.open(folder)) {
      for (String name : directory.listAll()) bytes += directory.fileLength(name);
    }
    double memory = memory();
    List<String> results = new ArrayList<>();
    IndexSearcher.setDefaultQueryCache(null);
    try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(folder))) {
      IndexSearcher searcher = new IndexSearcher(reader);
      for (String each : Arrays.copyOfRange(args, 3, args.length))
        results.add(measure(searcher, each.split("\t", -1), Long.parseLong(args[2])));
    }
    System.out.printf(
        Locale.ROOT,
        "{\"index\":%f,\"bytes\":%d,\"buildMemory\":%f,\"searchMemory\":%f,\"queries\":[%s]}%n",
        seconds, bytes, memory, memory(), String.join(",", results));
  }

  /** The logs as they came are stored as well, to be shown. */
  private static void index(Path rows, Path folder) throws Exception {
    BlockingQueue<List<String>> queue = new ArrayBlockingQueue<>(64);
    IndexWriterConfig config = new IndexWriterConfig(ANALYZER).setRAMBufferSizeMB(256);
    try (IndexWriter writer = new IndexWriter(FSDirectory.open(folder), config);
        BufferedReader in = Files.newBufferedReader(rows, StandardCharsets.UTF_8)) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) threads.add(new Thread(() -> addAll(writer, queue)));
      for (Thread thread : threads) thread.start();
      List<String> batch = new ArrayList<>();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        batch.add(line);
        if (batch.size() < 1000) continue;
        queue.put(batch);
        batch = new ArrayList<>();
      }
      queue.put(batch);
      for (int i = 0; i < THREADS; i++) queue.put(END);
      for (Thread thread : threads) thread.join();
      writer.commit();
    }
  }

  private static void addAll(IndexWriter writer, BlockingQueue<List<String>> queue) {
    try {
      for (List<String> batch = queue.take(); batch != END; batch = queue.take())
        for (String line : batch) writer.addDocument(toDocument(line));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Document toDocument(String line) {
    String[] values = line.split("\u001f", -1);
    Document document = new Document();
    long time = Long.parseLong(values[0]);
    document.add(new LongPoint("time", time));
    document.add(new NumericDocValuesField("time", time));
    document.add(new StoredField("log", line));
    for (int i = 0; i < COLUMNS.length; i++)
      if (!values[i + 1].isEmpty())
        document.add(new TextField(COLUMNS[i], values[i + 1].replace('\u001e', '\n'), Store.NO));
    return document;
  }

  private static String measure(IndexSearcher searcher, String[] words, long bucket) throws Exception {
    Query query = toQuery(words);
    int hits = searcher.count(query);
    return String.format(
        Locale.ROOT,
        "{\"name\":\"%s\",\"hits\":%d,\"count\":%f,\"newest\":%f,\"histogram\":%f}",
        words[0], hits,
        median(() -> searcher.count(toQuery(words))),
        median(() -> newest(searcher, toQuery(words))),
        median(() -> histogram(searcher, toQuery(words), bucket)));
  }

  private static Query toQuery(String[] words) throws ParseException {
    Query query = new QueryParser("msg", ANALYZER).parse(words[1]);
    if (words[2].isEmpty()) return query;
    Query range = LongPoint.newRangeQuery("time", Long.parseLong(words[2]), Long.parseLong(words[3]));
    return new BooleanQuery.Builder().add(query, Occur.MUST).add(range, Occur.FILTER).build();
  }

  private static int newest(IndexSearcher searcher, Query query) throws IOException {
    int length = 0;
    Sort sort = new Sort(new SortField("time", SortField.Type.LONG, true));
    for (ScoreDoc found : searcher.search(query, 100, sort).scoreDocs)
      length += searcher.doc(found.doc).get("log").length();
    return length;
  }

  private static int histogram(IndexSearcher searcher, Query query, long bucket) throws IOException {
    java.util.Map<Long, int[]> counts = new java.util.HashMap<>();
    searcher.search(query, new SimpleCollector() {
      private NumericDocValues times;
      private long start = Long.MIN_VALUE;
      private int[] count = new int[1];

      @Override
      protected void doSetNextReader(LeafReaderContext context) throws IOException {
        times = context.reader().getNumericDocValues("time");
      }

      @Override
      public void collect(int doc) throws IOException {
        times.advanceExact(doc);
        long own = times.longValue() / bucket;
        if (own != start) {
          start = own;
          count = counts.computeIfAbsent(own, each -> new int[1]);
        }
        count[0]++;
      }

      @Override
      public ScoreMode scoreMode() {
        return ScoreMode.COMPLETE_NO_SCORES;
      }
    });
    return counts.size();
  }

  private interface Work {
    int run() throws Exception;
  }

  /** Of warm runs, in milliseconds. */
  private static double median(Work work) throws Exception {
    for (int i = 0; i < 20; i++) work.run();
    double[] times = new double[9];
    for (int i = 0; i < times.length; i++) {
      long start = System.nanoTime();
      work.run();
      times[i] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(times);
    return times[4];
  }

  private static double memory() throws IOException {
    Path status = Paths.get("/proc/self/status");
    if (!Files.exists(status)) return 0;
    for (String line : Files.readAllLines(status))
      if (line.startsWith("VmHWM:")) return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
    return 0;
  }
}
