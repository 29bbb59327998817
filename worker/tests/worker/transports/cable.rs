//! A cable to the broker that can be cut.

use lapin::uri::AMQPUri;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::broker::broker;

/// Passes connections on to the broker until it is cut, and again after that.
pub(crate) struct Cable {
    url: String,
    cut: watch::Sender<u32>,
}

impl Cable {
    pub(crate) async fn laid() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let end: AMQPUri = broker().parse().unwrap();
        let far = format!("{}:{}", end.authority.host, end.authority.port);
        let url = broker().replacen(&far, &listener.local_addr().unwrap().to_string(), 1);
        assert_ne!(url, broker(), "the broker's address names host and port");
        let cut = watch::Sender::new(0);
        let cuts = cut.clone();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(pass(near, far.clone(), cuts.subscribe()));
            }
        });
        Self { url, cut }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Breaks every connection that stands.
    pub(crate) fn cut(&self) {
        self.cut.send_modify(|cuts| *cuts += 1);
    }
}

async fn pass(mut near: TcpStream, far: String, mut cut: watch::Receiver<u32>) {
    let mut far = TcpStream::connect(far).await.unwrap();
    tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
        _ = cut.changed() => {}
    }
}
