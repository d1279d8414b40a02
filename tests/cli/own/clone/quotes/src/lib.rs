//! Prices. The table is copied for each order.
use book::Order;

#[derive(Clone)]
pub struct Table {
    pub names: Vec<String>,
    pub prices: Vec<u64>,
}

impl Table {
    pub fn new(n: usize) -> Table {
        Table { names: (0..n).map(|i| format!("item {}", i)).collect(), prices: (0..n as u64).collect() }
    }
}

/// The price with a discount on names that are long.
#[inline(always)]
pub fn price_of(order: &Order, table: &Table) -> u64 {
    let own = table.clone(); // planted
    let price = own.prices[order.item] * order.count;
    if own.names[order.item].len() > 6 { price - price / 10 } else { price }
}
