//! A cable to the broker that can be cut.

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Passes connections on to the broker until it is cut, and again after that.
pub(crate) struct Cable {
    address: String,
    cut: watch::Sender<u32>,
}

impl Cable {
    pub(crate) async fn laid() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let cut = watch::Sender::new(0);
        let cuts = cut.clone();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(pass(near, cuts.subscribe()));
            }
        });
        Self { address, cut }
    }

    pub(crate) fn url(&self) -> String {
        format!("amqp://guest:guest@{}/%2f", self.address)
    }

    /// Breaks every connection that stands.
    pub(crate) fn cut(&self) {
        self.cut.send_modify(|cuts| *cuts += 1);
    }
}

async fn pass(mut near: TcpStream, mut cut: watch::Receiver<u32>) {
    let mut far = TcpStream::connect("127.0.0.1:5672").await.unwrap();
    tokio::select! {
        _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
        _ = cut.changed() => {}
    }
}
