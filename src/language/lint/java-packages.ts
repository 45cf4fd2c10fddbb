/** Exceptions and errors of the Java platform that occur in the logs of servers, by their packages. */
const packages: Readonly<Record<string, string>> = {
  'java.lang':
    'ArithmeticException ArrayIndexOutOfBoundsException ClassCastException ClassNotFoundException IllegalArgumentException IllegalStateException IndexOutOfBoundsException InterruptedException LinkageError NegativeArraySizeException NoClassDefFoundError NoSuchFieldError NoSuchMethodError NullPointerException NumberFormatException OutOfMemoryError RuntimeException SecurityException StackOverflowError StringIndexOutOfBoundsException UnsatisfiedLinkError UnsupportedOperationException',
  'java.io':
    'EOFException FileNotFoundException IOException InvalidObjectException NotSerializableException UncheckedIOException UnsupportedEncodingException',
  'java.net':
    'BindException ConnectException MalformedURLException NoRouteToHostException SocketException SocketTimeoutException URISyntaxException UnknownHostException',
  'java.nio.file': 'AccessDeniedException FileAlreadyExistsException NoSuchFileException',
  'java.sql': 'BatchUpdateException SQLException SQLTimeoutException',
  'java.util':
    'ConcurrentModificationException InputMismatchException MissingResourceException NoSuchElementException',
  'java.util.concurrent':
    'CancellationException CompletionException ExecutionException RejectedExecutionException TimeoutException',
  'javax.net.ssl': 'SSLException SSLHandshakeException SSLPeerUnverifiedException',
};

const byName: ReadonlyMap<string, string> = new Map(
  Object.entries(packages).flatMap(([name, classes]) =>
    classes.split(' ').map((each): [string, string] => [each, name]),
  ),
);

/** The package of a well-known class. */
export function packageOf(className: string): string | undefined {
  return byName.get(className);
}
