import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleDocValuesField;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.classic.MultiFieldQueryParser;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * Lucene for search.mjs, its index sorted by time, searched by as many threads as there are processors.
 *
 * build FOLDER    reads FOLDER/rows.txt, writes FOLDER/lucene, prints figures as JSON
 * serve FOLDER    answers lines "WORK TAB TEXT TAB FROM TAB TO TAB EVERY TAB FIELD", a line of JSON each
 */
public final class Lucene {
  private static final String[] TEXTS = {
    "msg", "source", "className", "username", "stackTraces", "serviceTypes", "logLevel"
  };
  private static final Analyzer ANALYZER = new StandardAnalyzer(CharArraySet.EMPTY_SET);
  private static final Sort NEWEST = new Sort(new SortField("time", SortField.Type.LONG, true));
  private static final Sort OLDEST = new Sort(new SortField("time", SortField.Type.LONG));
  private static final int THREADS = Runtime.getRuntime().availableProcessors();
  private static final List<String> END = new ArrayList<>();

  private final IndexSearcher searcher;

  private Lucene(IndexSearcher searcher) {
    this.searcher = searcher;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Paths.get(args[1]);
    if (args[0].equals("build")) build(folder);
    else serve(folder);
  }

  private static void build(Path folder) throws Exception {
    long start = System.nanoTime();
    index(folder.resolve("rows.txt"), folder.resolve("lucene"));
    String index = lap(start);
    long bytes = 0;
    try (Directory directory = FSDirectory.open(folder.resolve("lucene"))) {
      for (String name : directory.listAll()) bytes += directory.fileLength(name);
    }
    System.out.printf(Locale.ROOT, "{\"index\":{%s},\"bytes\":%d,\"memory\":%f}%n", index, bytes, memory());
  }

  private static void serve(Path folder) throws Exception {
    IndexSearcher.setDefaultQueryCache(null);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(folder.resolve("lucene")))) {
      Lucene lucene = new Lucene(new IndexSearcher(reader, threads));
      BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split("\t", -1);
        long start = System.nanoTime();
        long used = processor();
        int hits = lucene.answer(words);
        double cpu = (processor() - used) / 1e9;
        System.out.printf(
            Locale.ROOT, "{\"hits\":%d,\"seconds\":%f,\"processor\":%f,\"memory\":%f}%n",
            hits, (System.nanoTime() - start) / 1e9, cpu, memory());
      }
    }
    threads.shutdown();
  }

  private int answer(String[] words) throws Exception {
    switch (words[0]) {
      case "count":
        return searcher.count(query(words));
      case "newest":
        return read(first(query(words), NEWEST, 100));
      case "oldest":
        return read(first(query(words), OLDEST, 100));
      case "best":
        return read(searcher.search(query(words), 100));
      case "trace":
        return read(first(new TermQuery(new Term("requestID", words[1])), OLDEST, 1000));
      case "context":
        return context(searcher.search(query(words), 1));
      case "contexts":
        return context(first(query(words), NEWEST, 20));
      case "histogram":
        long every = Long.parseLong(words[4]);
        return groups(query(words), leaf -> {
          NumericDocValues times = DocValues.getNumeric(leaf, "time");
          return doc -> times.advanceExact(doc) ? times.longValue() / every : 0;
        }, null);
      case "top":
        return groups(query(words), leaf -> byOrdinal(leaf, words[5]), words[5]);
      default:
        return means(query(words));
    }
  }

  private Query query(String[] words) throws ParseException {
    MultiFieldQueryParser parser = new MultiFieldQueryParser(TEXTS, ANALYZER);
    parser.setAllowLeadingWildcard(true);
    Query query = parser.parse(words[1]);
    if (words[2].isEmpty()) return query;
    Query range = words[5].equals("elapsed")
        ? DoublePoint.newRangeQuery("elapsed", Double.parseDouble(words[2]), Double.parseDouble(words[3]))
        : LongPoint.newRangeQuery("time", Long.parseLong(words[2]), Long.parseLong(words[3]));
    return new BooleanQuery.Builder().add(query, Occur.MUST).add(range, Occur.FILTER).build();
  }

  /** Hits are not counted, so that an index in this order is left early. */
  private TopDocs first(Query query, Sort sort, int count) throws IOException {
    return searcher.search(query, TopFieldCollector.createSharedManager(sort, count, null, 1));
  }

  private int read(TopDocs found) throws IOException {
    int logs = 0;
    for (ScoreDoc each : found.scoreDocs) if (!searcher.doc(each.doc).get("log").isEmpty()) logs++;
    return logs;
  }

  /** Reads five logs before and after each hit; a log near to several hits is read and counted once. */
  private int context(TopDocs hits) throws Exception {
    Set<Integer> logs = new HashSet<>();
    for (ScoreDoc hit : hits.scoreDocs) {
      long time = Long.parseLong(searcher.doc(hit.doc).get("log").split("\u001f")[0]);
      Query before = LongPoint.newRangeQuery("time", Long.MIN_VALUE, time - 1);
      Query after = LongPoint.newRangeQuery("time", time, Long.MAX_VALUE);
      for (TopDocs near : List.of(first(before, NEWEST, 5), first(after, OLDEST, 6)))
        for (ScoreDoc each : near.scoreDocs)
          if (logs.add(each.doc) && searcher.doc(each.doc).get("log").isEmpty()) throw new IOException("No log");
    }
    return logs.size();
  }

  private interface Key {
    long of(int doc) throws IOException;
  }

  private interface Keys {
    Key in(LeafReader leaf) throws IOException;
  }

  private static Key byOrdinal(LeafReader leaf, String field) throws IOException {
    SortedDocValues values = DocValues.getSorted(leaf, field);
    return doc -> values.advanceExact(doc) ? values.ordValue() : -1;
  }

  /** Counts logs by a number of theirs; by a text of this field, if one is named. */
  private int groups(Query query, Keys keys, String field) throws IOException {
    return searcher.search(query, new CollectorManager<Counting, Integer>() {
      @Override
      public Counting newCollector() {
        return new Counting(keys, field);
      }

      @Override
      public Integer reduce(java.util.Collection<Counting> collectors) throws IOException {
        Map<Object, Integer> all = new HashMap<>();
        for (Counting each : collectors) {
          each.finish();
          each.counts.forEach((key, count) -> all.merge(key, count, Integer::sum));
        }
        return field == null ? all.size() : Math.min(10, all.size());
      }
    });
  }

  private static final class Counting extends SimpleCollector {
    private final Keys keys;
    private final String field;
    final Map<Object, Integer> counts = new HashMap<>();
    private final Map<Long, int[]> here = new HashMap<>();
    private LeafReader leaf;
    private Key key;
    private long last = Long.MIN_VALUE;
    private int[] count = new int[1];

    Counting(Keys keys, String field) {
      this.keys = keys;
      this.field = field;
    }

    @Override
    protected void doSetNextReader(LeafReaderContext context) throws IOException {
      finish();
      leaf = context.reader();
      key = keys.in(leaf);
    }

    @Override
    public void collect(int doc) throws IOException {
      long own = key.of(doc);
      if (own != last) {
        last = own;
        count = here.computeIfAbsent(own, each -> new int[1]);
      }
      count[0]++;
    }

    void finish() throws IOException {
      for (Map.Entry<Long, int[]> each : here.entrySet()) {
        Object name = each.getKey();
        if (field != null) name = DocValues.getSorted(leaf, field).lookupOrd(each.getKey().intValue()).utf8ToString();
        counts.merge(name, each.getValue()[0], Integer::sum);
      }
      here.clear();
      last = Long.MIN_VALUE;
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  private int means(Query query) throws IOException {
    Map<String, double[]> sums = new HashMap<>();
    searcher.search(query, new SimpleCollector() {
      private SortedDocValues levels;
      private NumericDocValues elapsed;

      @Override
      protected void doSetNextReader(LeafReaderContext context) throws IOException {
        levels = DocValues.getSorted(context.reader(), "logLevel");
        elapsed = DocValues.getNumeric(context.reader(), "elapsed");
      }

      @Override
      public void collect(int doc) throws IOException {
        String level = levels.advanceExact(doc) ? levels.binaryValue().utf8ToString() : "";
        double[] sum = sums.computeIfAbsent(level, each -> new double[2]);
        if (elapsed.advanceExact(doc)) sum[0] += Double.longBitsToDouble(elapsed.longValue());
        sum[1]++;
      }

      @Override
      public ScoreMode scoreMode() {
        return ScoreMode.COMPLETE_NO_SCORES;
      }
    });
    return sums.size();
  }

  private static void index(Path rows, Path folder) throws Exception {
    BlockingQueue<List<String>> queue = new ArrayBlockingQueue<>(64);
    IndexWriterConfig config = new IndexWriterConfig(ANALYZER).setRAMBufferSizeMB(256).setIndexSort(NEWEST);
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

  /** The log as it came is stored as well, to be shown. */
  private static Document toDocument(String line) {
    String[] values = line.split("\u001f", -1);
    Document document = new Document();
    long time = Long.parseLong(values[0]);
    document.add(new LongPoint("time", time));
    document.add(new NumericDocValuesField("time", time));
    document.add(new StringField("requestID", values[1], Store.NO));
    document.add(new DoublePoint("elapsed", Double.parseDouble(values[2])));
    document.add(new DoubleDocValuesField("elapsed", Double.parseDouble(values[2])));
    document.add(new StoredField("log", line));
    for (int i = 0; i < TEXTS.length; i++) {
      String value = values[i + 3];
      if (value.isEmpty()) continue;
      document.add(new TextField(TEXTS[i], value.replace('\u001e', '\n'), Store.NO));
      if (List.of("source", "username", "logLevel").contains(TEXTS[i]))
        document.add(new SortedDocValuesField(TEXTS[i], new BytesRef(value)));
    }
    return document;
  }

  private static long processor() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static String lap(long start) {
    return String.format(
        Locale.ROOT, "\"seconds\":%f,\"processor\":%f", (System.nanoTime() - start) / 1e9, processor() / 1e9);
  }

  /** The most memory that the process had, in megabytes. */
  private static double memory() throws IOException {
    for (String line : Files.readAllLines(Paths.get("/proc/self/status")))
      if (line.startsWith("VmHWM:")) return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
    return 0;
  }
}
